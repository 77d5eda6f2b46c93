public import Foundation
public import StreamImages
internal import Streams

/// The default decoder, with a closure that runs before it, and a count of its runs.
public final class ScriptedDecoder: ImageDecoding {
  private let decoder = ImageDecoders.Default()
  private let targets = Guarded<[ResizeTarget?]>([])
  private let previews = Guarded<[Int]>([])
  private let action: @Sendable (ImageDecodingContext) throws -> Void

  /// Creates a decoder.
  ///
  /// - Parameter action: Called before each image or preview is decoded. An error it throws fails the decoding.
  public init(_ action: @escaping @Sendable (ImageDecodingContext) throws -> Void = { _ in }) {
    self.action = action
  }

  /// How many decodings of whole images have begun.
  public var runs: Int { targets.withLock { $0.count } }

  /// How many of them had a target size.
  public var smallRuns: Int { targets.withLock { $0.count { $0 != nil } } }

  /// The number of bytes for each preview that was begun.
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
