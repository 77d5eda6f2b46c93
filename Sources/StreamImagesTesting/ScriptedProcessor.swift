public import StreamImages
internal import Synchronization

/// Changes nothing, counts how often it is asked to, and does on the way what it is told.
public final class ScriptedProcessor: ImageProcessing {
  public let identifier: String
  private let count = Atomic(0)
  private let action: @Sendable (ImageProcessingContext) throws -> Void

  /// A processor that does this.
  ///
  /// - Parameters:
  ///   - name: Processors of one name are taken for the same, as any of one identifier are.
  ///   - action: Runs where processors do. What it throws is what the processor throws.
  public init(
    _ name: String, _ action: @escaping @Sendable (ImageProcessingContext) throws -> Void = { _ in }
  ) {
    identifier = "scripted \(name)"
    self.action = action
  }

  /// How often it has run.
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
