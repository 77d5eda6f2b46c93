public import CThreads

/// A type-erased publisher.
///
/// A value passes through the erasure with at most one closure call.
@frozen
public struct AnyPublisher<Output, Failure: Error>: Publisher {
  /// One reference, so that erasing and copying are cheap.
  @usableFromInline let box: PublisherBox

  /// Wraps `publisher`. An `AnyPublisher` is not wrapped again.
  @inlinable @inline(__always)
  public init<Upstream: Publisher>(_ publisher: Upstream)
  where Upstream.Output == Output, Upstream.Failure == Failure {
    if let erased = publisher as? AnyPublisher<Output, Failure> {
      self = erased
    } else if let just = publisher as? Just<Output> {
      box = JustBox(just.output)
    } else {
      box = PublisherBox { subscriber in
        publisher.subscribe(subscriber.assumingMemoryBound(to: AnySubscriber<Output, Failure>.self).pointee)
      }
    }
  }

  // The value of the `Just` that this hides, if it hides one.
  @_documentation(visibility: internal)
  @inlinable @inline(__always)
  public var _singleValue: Output? {
    box.start == nil ? unsafeDowncast(box, to: JustBox<Output>.self).value : nil
  }

  @inlinable @_transparent
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    withUnsafePointer(to: AnySubscriber(subscriber)) {
      if let start = box.start { start.call($0) } else { receiveConstant($0.pointee) }
    }
  }

  /// For the erased subscriber: with the types of each, everything below would be compiled once more at each place that
  /// subscribes, in case that this hides a `Just`.
  @inlinable @inline(never)
  func receiveConstant(_ subscriber: AnySubscriber<Output, Failure>) {
    let constant = unsafeDowncast(box, to: JustBox<Output>.self).value
    if cthreads_has_onlookers() == 0 {
      subscriber.receive(subscription: SingleValueSubscription("Just", constant, to: subscriber))
    } else if let subscriber = subscriber as? AnySubscriber<Output, Never> {
      Just(constant).subscribe(subscriber)  // whose failure is no other
    }
  }
}

/// The subscribing part of an ``AnyPublisher``. It may hold the next of a long row of publishers, and releases them
/// one by one.
///
/// It has no type parameters: deallocating an object that has them requires look-ups of types.
@usableFromInline
class PublisherBox {
  /// A struct around the closure: a closure itself would be wrapped on its way to ``releaseIteratively(_:)``, and released
  /// too late.
  @frozen @usableFromInline
  struct Start {
    /// Called with a pointer to an ``AnySubscriber``.
    @usableFromInline let call: (UnsafeRawPointer) -> Void

    @inlinable
    init(_ call: @escaping (UnsafeRawPointer) -> Void) { self.call = call }
  }

  /// `nil` in a ``JustBox``.
  @exclusivity(unchecked)  // written by the deinit only
  @usableFromInline final var start: Start?

  @inlinable
  init(_ start: @escaping (UnsafeRawPointer) -> Void) { self.start = Start(start) }

  @inlinable
  init() {}

  deinit {
    if start != nil { releaseIteratively(&start) }
  }
}

/// The value of a ``Just``.
@usableFromInline
final class JustBox<Output>: PublisherBox {
  @usableFromInline let value: Output

  @inlinable
  init(_ value: Output) {
    self.value = value
    super.init()
  }
}

extension AnyPublisher: CustomStringConvertible, CustomPlaygroundDisplayConvertible {
  public var description: String { "AnyPublisher" }
  public var playgroundDescription: Any { description }
}

extension Publisher {
  /// Hides the type of this publisher.
  ///
  /// ```swift
  /// func evens(upTo limit: Int) -> AnyPublisher<Int, Never> {
  ///   (0...limit).publisher
  ///     .filter { $0.isMultiple(of: 2) }
  ///     .eraseToAnyPublisher()
  /// }
  /// let cancellable = evens(upTo: 4).sink { print($0) }
  /// // Prints 0, 2, 4
  /// ```
  @inlinable @inline(__always)
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}
