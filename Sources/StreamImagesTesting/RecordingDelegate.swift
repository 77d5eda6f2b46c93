public import StreamImages
internal import Streams

/// A delegate that records the events of each task.
public final class RecordingDelegate: ImagePipelineDelegate {
  private let content = Guarded<[(task: ImageTask, line: String)]>([])
  private let preparation: @Sendable (ImageRequest) -> ImageRequest

  /// Creates a delegate without recorded events.
  ///
  /// - Parameter preparation: Changes each request before it is executed.
  public init(preparation: @escaping @Sendable (ImageRequest) -> ImageRequest = { $0 }) {
    self.preparation = preparation
  }

  /// All events in order: "created", "started", "progress 10 of 20 bytes", "preview", "finished", "failed: …".
  public var lines: [String] { content.withLock { $0.map(\.line) } }

  /// The tasks, in order.
  public var tasks: [ImageTask] {
    content.withLock { $0.filter { $0.line == "created" }.map(\.task) }
  }

  /// Returns the events of one task.
  public func lines(of task: ImageTask) -> [String] {
    content.withLock { $0.filter { $0.task == task }.map(\.line) }
  }

  public func prepare(_ request: ImageRequest) -> ImageRequest { preparation(request) }
  public func taskCreated(_ task: ImageTask) { note("created", task) }
  public func taskDidStart(_ task: ImageTask) { note("started", task) }

  public func task(_ task: ImageTask, didReceive event: ImageTask.Event) {
    switch event {
    case .progress(let progress): note("progress \(progress)", task)
    case .preview: note("preview", task)
    case .finished(.success): note("finished", task)
    case .finished(.failure(let error)): note("failed: \(error)", task)
    }
  }

  private func note(_ line: String, _ task: ImageTask) { content.withLock { $0.append((task, line)) } }
}
