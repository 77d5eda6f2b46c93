/// A publisher whose type is nobody's business.
///
/// The closure is formed where the upstream's type is known, and the subscriber is wrapped where *its* type is
/// known, so both sides stay specialised and a value crosses by one closure call.
@frozen
public struct AnyPublisher<Output, Failure: Error>: Publisher {
  @usableFromInline let start: (AnySubscriber<Output, Failure>) -> Void

  /// Wraps `publisher`. Wrapping an `AnyPublisher` again costs nothing more.
  @inlinable @inline(__always)
  public init<Upstream: Publisher>(_ publisher: Upstream)
  where Upstream.Output == Output, Upstream.Failure == Failure {
    if let erased = publisher as? AnyPublisher<Output, Failure> {
      self = erased
    } else {
      let holding = Holding(publisher)
      start = { holding.content!.subscribe($0) }
    }
  }

  @inlinable @_transparent
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    start(AnySubscriber(subscriber))
  }
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
