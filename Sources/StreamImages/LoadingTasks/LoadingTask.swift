internal import Streams
internal import Synchronization

/// The task of loading an image; see ``LoadingTask``.
public typealias ImageTask = LoadingTask<ImageResponse>

/// The task of loading bytes; see ``LoadingTask``.
public typealias DataTask = LoadingTask<DataResponse>

/// A request in flight. You can await it, observe it, change its priority, and cancel it.
///
/// ```swift
/// let task = pipeline.imageTask(with: url)
/// for await progress in task.progress { show(progress.fraction) }
/// let image = try await task.image
/// ```
///
/// It starts when it is created, and continues until it ends or is cancelled, even if it is not retained. Call all
/// members from any thread.
public final class LoadingTask<Response: Sendable>: Sendable {
  /// An event of a task.
  public enum Event: Sendable {
    /// The progress of the load.
    case progress(LoadProgress)
    /// A preview; a better image follows.
    case preview(Response)
    /// The end of the task. No event follows.
    case finished(Result<Response, ImagePipeline.Error>)
  }

  /// A consistent snapshot of a task.
  public struct Status: Sendable {
    /// The priority.
    public internal(set) var priority: ImageRequest.Priority
    /// The number of bytes received and expected.
    public internal(set) var progress = LoadProgress()
    /// The last preview; `nil` once the task has ended.
    public var preview: Response? { if case .preview(let response) = outcome { response } else { nil } }
    /// `nil` while the task is in flight. ``ImagePipeline/Error/cancelled`` if it was cancelled.
    public var result: Result<Response, ImagePipeline.Error>? {
      if case .result(let result) = outcome { result } else { nil }
    }
    /// Whether the task was cancelled and did not fail.
    public internal(set) var isCancelled = false
    /// The number of changes, and that of the change that set the preview.
    var number = 0
    var previewNumber = 0
    fileprivate var outcome: Outcome?

    init(priority: ImageRequest.Priority) { self.priority = priority }

    /// Takes no space before there is one, because thousands of tasks may wait.
    fileprivate indirect enum Outcome: Sendable {
      case preview(Response)
      case result(Result<Response, ImagePipeline.Error>)
    }
  }

  struct State {
    var status: Status
    var work: StepRun?
    var waiting = WaitingTasks<Result<Response, ImagePipeline.Error>, Void>()
    /// Created for the first subscriber.
    var watched: CurrentValueSubject<Status, Never>?
    var dynamicPriority: DynamicPriority?
    var observer: (@Sendable (Event) -> Void)?
    /// Events that the observer has not received yet.
    var pendingEvents: [Event] = []
    var isNotifying = false
    /// Whether the task was cancelled, even if that was after its end.
    var isAbandoned = false
  }

  /// Unique in the program.
  public let id: UInt64
  /// The request, as the pipeline executes it: a delegate may have changed it.
  public let request: ImageRequest

  let state: Guarded<State>

  init(_ request: ImageRequest) {
    id = TaskNumbers.next()
    self.request = request
    state = Guarded(State(status: Status(priority: request.priority)))
  }

  /// The priority. Changing it after the end of the task has no effect.
  public var priority: ImageRequest.Priority {
    get { status.priority }
    set {
      let hasChanged = change { status in
        status.priority = newValue
        return true
      }
      if hasChanged { updatePriority() }
    }
  }

  /// The present status.
  public var status: Status { state.withLock { $0.status } }

  /// Whether the task was cancelled.
  public var isCancelled: Bool { status.isCancelled }

  /// Cancels the task, and stops its load unless other requests share it.
  ///
  /// After the end of the task, its result stays. But closures, targets and a ``FetchImage`` that have not received it
  /// yet will not receive it.
  public func cancel() {
    state.withLock { $0.isAbandoned = true }
    receive(.finished(.failure(.cancelled)), isCancellation: true)
  }

  /// Whether the task was cancelled, even if that was after its end.
  var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

  // MARK: Execution

  /// - Parameter observer: Called with all events, in order, the end last, even if that has already happened.
  /// - Returns: False if the task has ended already.
  func start(observer: @escaping @Sendable (Event) -> Void) -> Bool {
    let result = state.withLock { state in
      if state.status.result == nil { state.observer = observer }
      return state.status.result
    }
    guard let result else { return true }
    observer(.finished(result))
    return false
  }

  /// Starts the work, which may end immediately.
  func begin(_ work: (DynamicPriority, StepRun) -> Void) {
    let run = StepRun()
    let dynamicPriority = DynamicPriority(priority) { [weak self] in self?.receive(.progress($0)) }
    let isWanted = state.withLock { state in
      guard state.status.result == nil else { return false }
      (state.dynamicPriority, state.work) = (dynamicPriority, run)
      return true
    }
    guard isWanted else { return }
    // It may have changed before there was work.
    updatePriority()
    work(dynamicPriority, run)
  }

  private func updatePriority() {
    let (dynamicPriority, status) = state.withLock { ($0.dynamicPriority, $0.status) }
    dynamicPriority?.set(status.priority, change: status.number)
  }

  /// Has no effect once the task has ended.
  func receive(_ event: Event, isCancellation: Bool = false) {
    let isNew = change(event) { status in
      switch event {
      case .progress(let progress):
        guard progress != status.progress else { return false }
        status.progress = progress
      case .preview(let preview):
        status.outcome = .preview(preview)
        status.previewNumber = status.number + 1
      case .finished(let result):
        status.outcome = .result(result)
        status.isCancelled = isCancellation
      }
      return true
    }
    guard isNew else { return }
    if case .finished(let result) = event { end(result) }
    notifyObserver()
  }

  /// Sends pending events to the observer, on one thread at a time. Events that arrive meanwhile are sent by the same
  /// thread.
  private func notifyObserver() {
    var isBack = false
    while let (observer, event) = state.withLock({ $0.next(isBack) }) {
      observer(event)
      isBack = true
    }
  }

  /// Changes the status, unless the task has ended, and notifies subscribers.
  ///
  /// - Parameter event: The event for the observer, if there is one.
  private func change(_ event: Event? = nil, _ body: (inout Status) -> Bool) -> Bool {
    let (hasChanged, update) = state.withLock { state in
      guard state.status.result == nil, body(&state.status) else {
        return (false, (CurrentValueSubject<Status, Never>, Status)?.none)
      }
      state.status.number += 1
      if let event, state.observer != nil { state.pendingEvents.append(event) }
      return (true, state.watched.map { ($0, state.status) })
    }
    if let (watched, status) = update { watched.send(status) }
    return hasChanged
  }

  private func end(_ result: Result<Response, ImagePipeline.Error>) {
    let (work, watched, waiting, dynamicPriority) = state.withLock { state in
      (state.work.take(), state.watched, state.waiting.removeAll(), state.dynamicPriority.take())
    }
    work?.cancel()
    watched?.send(completion: .finished)
    for task in waiting { task.resume(returning: result) }
    withExtendedLifetime(dynamicPriority) {}
  }
}

extension LoadingTask.State {
  /// - Parameter isBack: Whether the caller has sent the previous event.
  /// - Returns: The next event and the observer. `nil` if there is none, or another thread is sending. The end is the
  ///   last event and releases the observer.
  fileprivate mutating func next(_ isBack: Bool) -> (
    @Sendable (LoadingTask.Event) -> Void, LoadingTask.Event
  )? {
    if isNotifying, !isBack { return nil }
    isNotifying = !pendingEvents.isEmpty
    guard isNotifying, let observer else { return nil }
    let event = pendingEvents.removeFirst()
    if case .finished = event { self.observer = nil }
    return (observer, event)
  }
}

private enum TaskNumbers {
  private static let last = Atomic<UInt64>(0)

  static func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}

extension LoadingTask: Hashable {
  /// A task equals only itself.
  public static func == (left: LoadingTask, right: LoadingTask) -> Bool { left === right }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension LoadingTask: Identifiable {}

extension LoadingTask: CustomStringConvertible {
  /// Without secrets.
  public var description: String { "task \(id): \(request)" }
}
