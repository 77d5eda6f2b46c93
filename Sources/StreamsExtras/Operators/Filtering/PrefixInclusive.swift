/// Whether ``Streams/Publisher/prefix(while:behavior:)`` sends the value that ends the stream.
public enum PrefixWhileBehavior: Hashable, Sendable {
  /// Sends the value that does not satisfy the predicate.
  case inclusive
  /// Drops the value that does not satisfy the predicate.
  case exclusive
}

extension Publisher {
  /// Sends values until one does not satisfy `predicate`, then finishes. `behavior` decides whether it sends that
  /// value.
  ///
  /// ```
  /// self    -1-2-5-1-|
  /// result  -1-2-(5|)       prefix(while: { $0 < 4 }, behavior: .inclusive)
  /// ```
  ///
  /// The upstream is cancelled after that value is sent.
  @_disfavoredOverload
  @inlinable
  public func prefix(
    while predicate: @escaping (Output) -> Bool, behavior: PrefixWhileBehavior
  ) -> AnyPublisher<Output, Failure> {
    switch behavior {
    case .inclusive:
      MorePublishers.PrefixInclusive(upstream: self, predicate: predicate).eraseToAnyPublisher()
    case .exclusive: Publishers.PrefixWhile(upstream: self, predicate: predicate).eraseToAnyPublisher()
    }
  }
}

extension MorePublishers {
  /// The publisher returned by ``Streams/Publisher/prefix(while:behavior:)``, with inclusive behavior.
  public struct PrefixInclusive<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose first values are sent.
    public let upstream: Upstream
    /// Whether the value after this one is sent, too.
    public let predicate: (Output) -> Bool

    /// Creates the publisher that `upstream.prefix(while: predicate, behavior: .inclusive)` returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.relay(through: PrefixInclusiveStage(predicate), to: subscriber)
    }
  }
}

@frozen @usableFromInline
struct PrefixInclusiveStage<Value>: Stage {
  @inlinable static var name: String { "PrefixWhile" }

  @usableFromInline let predicate: (Value) -> Bool

  @inlinable
  init(_ predicate: @escaping (Value) -> Bool) { self.predicate = predicate }

  @inlinable
  func receive(_ value: Value, _: inout Void) -> Step<Value> {
    predicate(value) ? .emit(value) : .emitLast(value)
  }
}
