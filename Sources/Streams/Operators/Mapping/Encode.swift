extension Publisher where Output: Encodable {
  /// Encodes each value. The stream fails if the encoder throws.
  @inlinable
  public func encode<Coder: TopLevelEncoder>(encoder: Coder) -> Publishers.Encode<Self, Coder> {
    Publishers.Encode(upstream: self, encoder: encoder)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/encode(encoder:)``.
  public struct Encode<Upstream: Publisher, Coder: TopLevelEncoder>: Publisher
  where Upstream.Output: Encodable {
    public typealias Output = Coder.Output
    public typealias Failure = any Error

    /// The publisher whose values are encoded.
    public let upstream: Upstream

    @usableFromInline let encoder: Coder

    /// Creates a publisher that encodes the values of `upstream`.
    @inlinable
    public init(upstream: Upstream, encoder: Coder) {
      self.upstream = upstream
      self.encoder = encoder
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.relay(through: EncodeStage(encoder), to: subscriber)
    }
  }
}

@frozen @usableFromInline
struct EncodeStage<Input: Encodable, Coder: TopLevelEncoder>: Stage {
  @inlinable static var name: String { "Encode" }

  @usableFromInline let encoder: Coder

  @inlinable
  init(_ encoder: Coder) { self.encoder = encoder }

  @inlinable
  func receive(_ value: Input, _: inout Void) throws -> Step<Coder.Output> {
    .emit(try encoder.encode(value))
  }

  @usableFromInline
  func children(_ parts: ReflectedParts<Memory>) -> [Mirror.Child] {
    [
      ("downstream", parts.downstream), ("finished", parts.status == "terminal"),
      ("upstreamSubscription", parts.upstream as Any),
    ]
  }
}
