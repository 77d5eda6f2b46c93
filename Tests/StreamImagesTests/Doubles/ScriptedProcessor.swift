import StreamImages
import Synchronization

/// Changes nothing, counts how often it is asked to, and does on the way what it is told.
final class ScriptedProcessor: ImageProcessing {
  let identifier: String
  private let count = Atomic(0)
  private let action: @Sendable (ImageProcessingContext) throws -> Void

  init(_ name: String, _ action: @escaping @Sendable (ImageProcessingContext) throws -> Void = { _ in }) {
    identifier = "scripted \(name)"
    self.action = action
  }

  var runs: Int { count.load(ordering: .relaxed) }

  func process(_ image: Image, _ context: ImageProcessingContext) throws -> Image {
    count.add(1, ordering: .relaxed)
    try action(context)
    return image
  }
}
