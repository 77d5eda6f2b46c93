public import StreamImages
internal import Synchronization

/// A processor that changes nothing, counts its runs, and calls a closure.
public final class ScriptedProcessor: ImageProcessing {
  public let identifier: String
  private let count = Atomic(0)
  private let action: @Sendable (ImageProcessingContext) throws -> Void

  /// Creates a processor.
  ///
  /// - Parameters:
  ///   - name: Processors with the same name have the same identifier.
  ///   - action: Called by the processor. An error it throws fails the processing.
  public init(
    _ name: String, _ action: @escaping @Sendable (ImageProcessingContext) throws -> Void = { _ in }
  ) {
    identifier = "scripted \(name)"
    self.action = action
  }

  /// How many times it has run.
  public var runs: Int { count.load(ordering: .relaxed) }

  public func process(_ image: Image, _ context: ImageProcessingContext) throws -> Image {
    count.add(1, ordering: .relaxed)
    try action(context)
    return image
  }
}

extension ScriptedProcessor: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: ["identifier": identifier]) }
}
