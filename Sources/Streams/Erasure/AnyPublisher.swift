/// A publisher whose type is nobody's business.
///
/// The closure is formed where the upstream's type is known, and the subscriber is wrapped where *its* type is
/// known, so both sides stay specialised and a value crosses by one closure call.
@frozen
public struct AnyPublisher<Output, Failure: Error>: Publisher {
  /// One reference, so that erasing and copying are cheap.
  @usableFromInline let box: PublisherBox<Output, Failure>

  /// Wraps `publisher`. Wrapping an `AnyPublisher` again costs nothing more.
  @inlinable @inline(__always)
  public init<Upstream: Publisher>(_ publisher: Upstream)
  where Upstream.Output == Output, Upstream.Failure == Failure {
    if let erased = publisher as? AnyPublisher<Output, Failure> {
      self = erased
    } else {
      box = PublisherBox { publisher.subscribe($0) }
    }
  }

  @inlinable @_transparent
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    box.start!.call(AnySubscriber(subscriber))
  }
}

/// What an ``AnyPublisher`` subscribes with. It may hold the next of a long row of publishers, and releases that one by one.
@usableFromInline
final class PublisherBox<Output, Failure: Error> {
  /// A struct around the closure: a closure itself would be wrapped on its way to ``letGo(of:)``, and released too late.
  @frozen @usableFromInline
  struct Start {
    @usableFromInline let call: (AnySubscriber<Output, Failure>) -> Void

    @inlinable
    init(_ call: @escaping (AnySubscriber<Output, Failure>) -> Void) { self.call = call }
  }

  @exclusivity(unchecked)  // written by the deinit only
  @usableFromInline var start: Start?

  @inlinable
  init(_ start: @escaping (AnySubscriber<Output, Failure>) -> Void) { self.start = Start(start) }

  @inlinable
  deinit { letGo(of: &start) }
}

extension AnyPublisher: CustomStringConvertible, CustomPlaygroundDisplayConvertible {
  public var description: String { "AnyPublisher" }
  public var playgroundDescription: Any { description }
}

extension Publisher {
  /// Hides the type of this publisher.
  @inlinable @inline(__always)
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}
