import Foundation
import StreamImages

/// Decodes as the default does, counts how often, and does before it what it is told.
final class ScriptedDecoder: ImageDecoding {
  private let decoder = ImageDecoders.Default()
  private let targets = Guarded<[ResizeTarget?]>([])
  private let action: @Sendable (ImageDecodingContext) throws -> Void

  init(_ action: @escaping @Sendable (ImageDecodingContext) throws -> Void = { _ in }) {
    self.action = action
  }

  var runs: Int { targets.withLock { $0.count } }

  /// How many runs were to decode to a smaller size.
  var smallRuns: Int { targets.withLock { $0.count { $0 != nil } } }

  func canDecode(_ data: Data) -> Bool { decoder.canDecode(data) }

  func byteCost(of data: Data, _ context: ImageDecodingContext) throws -> Int {
    try decoder.byteCost(of: data, context)
  }

  func decode(_ data: Data, _ context: ImageDecodingContext) throws -> Image {
    targets.withLock { $0.append(context.target) }
    try action(context)
    return try decoder.decode(data, context)
  }
}
