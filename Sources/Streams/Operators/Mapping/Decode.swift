extension Publisher {
  /// Decodes each value as `type`. The stream fails if the decoder throws.
  @inlinable
  public func decode<Item: Decodable, Coder: TopLevelDecoder>(
    type: Item.Type, decoder: Coder
  ) -> Publishers.Decode<Self, Item, Coder> where Output == Coder.Input {
    Publishers.Decode(upstream: self, decoder: decoder)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/decode(type:decoder:)``.
  public struct Decode<Upstream: Publisher, Output: Decodable, Coder: TopLevelDecoder>: Publisher
  where Upstream.Output == Coder.Input {
    public typealias Failure = any Error

    /// The publisher whose values are decoded.
    public let upstream: Upstream

    @usableFromInline let decoder: Coder

    /// Creates a publisher that decodes the values of `upstream`.
    @inlinable
    public init(upstream: Upstream, decoder: Coder) {
      self.upstream = upstream
      self.decoder = decoder
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.relay(through: DecodeStage(decoder), to: subscriber)
    }
  }
}

@frozen @usableFromInline
struct DecodeStage<Output: Decodable, Coder: TopLevelDecoder>: Stage {
  @inlinable static var name: String { "Decode" }

  @usableFromInline let decoder: Coder

  @inlinable
  init(_ decoder: Coder) { self.decoder = decoder }

  @inlinable
  func receive(_ value: Coder.Input, _: inout Void) throws -> Step<Output> {
    .emit(try decoder.decode(Output.self, from: value))
  }

  @usableFromInline
  func children(_ parts: ReflectedParts<Memory>) -> [Mirror.Child] {
    [
      ("downstream", parts.downstream), ("finished", parts.status == "terminal"),
      ("upstreamSubscription", parts.upstream as Any),
    ]
  }
}
