internal import CGLib
public import Streams
import StreamsExtras

/// Publishes each emission of a signal of a GObject.
///
/// ```swift
/// let clicks = signals(of: button, named: "clicked").sink { [model] in model.clear() }
/// ```
///
/// Each subscription connects a handler, and cancelling it disconnects it. The subscription keeps the object alive. Values
/// arrive while the signal is emitted, on its thread: for widgets, the main thread. Subscribe and cancel there, too.
///
/// This is for signals without a result, such as `clicked` and `notify::active`. Their arguments are not published; see
/// ``numbers(of:named:)``. If the class of the object does not have the signal, GLib reports that, and nothing is published.
///
/// - Parameters:
///   - object: A pointer to a GObject.
///   - name: With a detail, if the signal takes one.
public func signals(of object: UnsafeMutableRawPointer, named name: String) -> AnyPublisher<Void, Never> {
  // Swapped, so that the handler is the first argument, whatever the signal passes.
  let call: @convention(c) (gpointer) -> Void = {
    Unmanaged<Handler<Void>>.fromOpaque($0).takeUnretainedValue().call(())
  }
  return emissions(of: GObjectReference(object), name, unsafeBitCast(call, to: GCallback.self))
}

/// The same for a class whose instances Swift sees as opaque, because their structure is private: `GtkNoSelection`, for example.
public func signals(of object: OpaquePointer, named name: String) -> AnyPublisher<Void, Never> {
  signals(of: UnsafeMutableRawPointer(object), named: name)
}

/// Publishes the argument of each emission of a signal that has one, a number of 32 bits without a sign.
///
/// ```swift
/// let choices = numbers(of: grid, named: "activate").sink { position in open(items[Int(position)]) }
/// ```
///
/// Otherwise like ``signals(of:named:)-(UnsafeMutableRawPointer,_)``. With a signal of other arguments, the numbers mean nothing.
public func numbers(of object: UnsafeMutableRawPointer, named name: String) -> AnyPublisher<UInt32, Never> {
  let call: @convention(c) (gpointer, guint) -> Void = {
    Unmanaged<Handler<UInt32>>.fromOpaque($0).takeUnretainedValue().call($1)
  }
  return emissions(of: GObjectReference(object), name, unsafeBitCast(call, to: GCallback.self))
}

private func emissions<Value>(
  of object: GObjectReference, _ name: String, _ call: GCallback
) -> AnyPublisher<Value, Never> {
  AnyPublisher.create { subscriber in
    let handler = Unmanaged.passRetained(Handler<Value> { subscriber.send($0) })
    let number = g_signal_connect_data(
      object.pointer, name, call, handler.toOpaque(),
      { handler, _ in Unmanaged<AnyObject>.fromOpaque(handler!).release() }, G_CONNECT_SWAPPED)
    return AnyCancellable {
      // A window that was closed has disconnected its handlers already.
      if number != 0, g_signal_handler_is_connected(object.pointer, number) != 0 {
        g_signal_handler_disconnect(object.pointer, number)
      }
    }
  }
}

private final class Handler<Value> {
  let call: (Value) -> Void

  init(_ call: @escaping (Value) -> Void) { self.call = call }
}

/// Keeps a GObject alive.
///
/// A floating reference, as of a new widget, becomes this one.
// Unchecked, because only the reference count is used here, and that is atomic.
public final class GObjectReference: @unchecked Sendable {
  /// The object. What may be done with it on which thread is its own matter.
  public let pointer: UnsafeMutableRawPointer

  /// Takes a reference to an object.
  public init(_ pointer: UnsafeMutableRawPointer) {
    self.pointer = pointer
    g_object_ref_sink(pointer)
  }

  /// Takes a reference to an object of a type that Swift sees as opaque.
  public convenience init(_ pointer: OpaquePointer) { self.init(UnsafeMutableRawPointer(pointer)) }

  deinit { g_object_unref(pointer) }
}
