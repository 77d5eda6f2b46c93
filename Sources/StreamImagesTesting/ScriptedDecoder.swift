public import Foundation
public import StreamImages
internal import Streams

/// Decodes as the default does, counts how often, and does before it what it is told.
public final class ScriptedDecoder: ImageDecoding {
  private let decoder = ImageDecoders.Default()
  private let targets = Guarded<[ResizeTarget?]>([])
  private let previews = Guarded<[Int]>([])
  private let action: @Sendable (ImageDecodingContext) throws -> Void

  /// A decoder that does this before it decodes as the default does.
  ///
  /// - Parameter action: Runs where decoders do, for previews, too. What it throws is what the decoder throws.
  public init(_ action: @escaping @Sendable (ImageDecodingContext) throws -> Void = { _ in }) {
    self.action = action
  }

  /// How often it has decoded a whole picture.
  public var runs: Int { targets.withLock { $0.count } }

  /// How many runs were to decode to a smaller size.
  public var smallRuns: Int { targets.withLock { $0.count { $0 != nil } } }

  /// Of how many bytes each preview was to be made.
  public var previewRuns: [Int] { previews.withLock { $0 } }

  public func canDecode(_ data: Data) -> Bool { decoder.canDecode(data) }

  public func byteCost(of data: Data, _ context: ImageDecodingContext) throws -> Int {
    try decoder.byteCost(of: data, context)
  }

  public func decode(_ data: Data, _ context: ImageDecodingContext) throws -> Image {
    targets.withLock { $0.append(context.target) }
    try action(context)
    return try decoder.decode(data, context)
  }

  public func decodePreview(_ data: Data, _ context: ImageDecodingContext) throws -> Image? {
    previews.withLock { $0.append(data.count) }
    try action(context)
    return try decoder.decodePreview(data, context)
  }

  public func info(of data: Data) -> ImageInfo? { decoder.info(of: data) }
}
