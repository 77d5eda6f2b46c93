public import Foundation
internal import Streams

/// The decoders that a program has added to those of its pipelines.
///
/// What was registered last is asked first. May be used from any thread; decoders and factories are called outside its
/// lock.
public final class ImageDecoderRegistry: Sendable {
  /// The one that pipelines ask unless they are told otherwise.
  public static let shared = ImageDecoderRegistry()

  /// Says what to unregister.
  public struct Token: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  /// Makes a decoder for one load; `nil` if it is not for these bytes.
  ///
  /// It may be asked several times while bytes come in, until it makes one: that is kept to the end of the load.
  public typealias Factory = @Sendable (Data, ImageDecodingContext) -> AnyImageDecoder?

  private struct State {
    var entries: [(token: Token, factory: Factory)] = []
    var lastNumber: UInt64 = 0
  }

  private let state = Guarded(State())

  /// A registry without decoders.
  public init() {}

  /// Adds a decoder for all bytes that it says it can decode.
  @discardableResult
  public func register(_ decoder: any ImageDecoding) -> Token {
    register { data, _ in decoder.canDecode(data) ? AnyImageDecoder(decoder) : nil }
  }

  /// The same for a decoder that works elsewhere.
  @discardableResult
  public func register(_ decoder: any AsyncImageDecoding) -> Token {
    register { data, _ in decoder.canDecode(data) ? AnyImageDecoder(decoder) : nil }
  }

  /// Adds a factory.
  @discardableResult
  public func register(_ factory: @escaping Factory) -> Token {
    state.withLock { state in
      state.lastNumber += 1
      let token = Token(number: state.lastNumber)
      state.entries.append((token, factory))
      return token
    }
  }

  /// Takes back what was registered; loads that have a decoder keep it.
  public func unregister(_ token: Token) {
    let gone = state.withLock { state in
      let gone = state.entries.filter { $0.token == token }
      state.entries.removeAll { $0.token == token }
      return gone
    }
    withExtendedLifetime(gone) {}
  }

  /// Takes back everything.
  public func removeAll() {
    let gone = state.withLock { state in
      defer { state.entries = [] }
      return state.entries
    }
    withExtendedLifetime(gone) {}
  }

  func decoder(for data: Data, _ context: ImageDecodingContext) -> AnyImageDecoder? {
    let entries = state.withLock { $0.entries }
    for entry in entries.reversed() {
      if let decoder = entry.factory(data, context) { return decoder }
    }
    return nil
  }
}

/// A decoder of either kind.
public struct AnyImageDecoder: Sendable {
  enum Kind: Sendable {
    case immediate(any ImageDecoding)
    case asynchronous(any AsyncImageDecoding)
  }

  let kind: Kind

  /// A decoder that works on a thread of the pipeline.
  public init(_ decoder: any ImageDecoding) { kind = .immediate(decoder) }

  /// A decoder that works elsewhere.
  public init(_ decoder: any AsyncImageDecoding) { kind = .asynchronous(decoder) }
}
