public import Foundation
internal import Streams

/// Decoders that a program has added to those of its pipelines.
///
/// The decoder registered last is tried first. Call all members from any thread. Decoders and factories are called
/// without a lock.
public final class ImageDecoderRegistry: Sendable {
  /// The registry that pipelines use by default.
  public static let shared = ImageDecoderRegistry()

  /// Identifies a registration, for removing it.
  public struct Token: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  /// Returns a decoder for one load, or `nil` if it cannot decode these bytes.
  ///
  /// It may be called several times for one load, also before all bytes have arrived. The decoder that is found first
  /// makes the previews and the image.
  public typealias Factory = @Sendable (Data, ImageDecodingContext) -> AnyImageDecoder?

  private struct State {
    var entries: [(token: Token, factory: Factory)] = []
    var lastNumber: UInt64 = 0
  }

  private let state = Guarded(State())

  /// Creates an empty registry.
  public init() {}

  /// Adds a decoder.
  @discardableResult
  public func register(_ decoder: any ImageDecoding) -> Token {
    register { data, _ in decoder.canDecode(data) ? AnyImageDecoder(decoder) : nil }
  }

  /// Adds an asynchronous decoder.
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

  /// Removes a registration. Loads that have a decoder keep it.
  public func unregister(_ token: Token) {
    let gone = state.withLock { state in
      let gone = state.entries.filter { $0.token == token }
      state.entries.removeAll { $0.token == token }
      return gone
    }
    withExtendedLifetime(gone) {}
  }

  /// Removes all registrations.
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

/// A synchronous or asynchronous decoder.
public struct AnyImageDecoder: Sendable {
  enum Kind: Sendable {
    case immediate(any ImageDecoding)
    case asynchronous(any AsyncImageDecoding)
  }

  let kind: Kind

  /// Wraps a decoder that decodes on a thread of the pipeline.
  public init(_ decoder: any ImageDecoding) { kind = .immediate(decoder) }

  /// Wraps a decoder that decodes elsewhere.
  public init(_ decoder: any AsyncImageDecoding) { kind = .asynchronous(decoder) }
}
