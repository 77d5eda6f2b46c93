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
/// This is for signals without a result, such as `clicked` and `notify::active`. Arguments are not passed on. If the class
/// of the object does not have the signal, GLib reports that, and nothing is published.
///
/// - Parameters:
///   - object: A pointer to a GObject.
///   - name: With a detail, if the signal takes one.
public func signals(of object: UnsafeMutableRawPointer, named name: String) -> AnyPublisher<Void, Never> {
  let object = GObjectReference(object)
  return AnyPublisher.create { subscriber in
    let handler = Unmanaged.passRetained(Handler { subscriber.send(()) })
    // Swapped, so that the handler is the first argument, whatever the signal passes.
    let call: @convention(c) (gpointer) -> Void = {
      Unmanaged<Handler>.fromOpaque($0).takeUnretainedValue().call()
    }
    let number = g_signal_connect_data(
      object.pointer, name, unsafeBitCast(call, to: GCallback.self), handler.toOpaque(),
      { handler, _ in Unmanaged<Handler>.fromOpaque(handler!).release() }, G_CONNECT_SWAPPED)
    return AnyCancellable {
      if number != 0 { g_signal_handler_disconnect(object.pointer, number) }
    }
  }
}

private final class Handler {
  let call: () -> Void

  init(_ call: @escaping () -> Void) { self.call = call }
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
