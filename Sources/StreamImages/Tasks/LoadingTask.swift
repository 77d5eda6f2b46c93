internal import Streams
internal import Synchronization

/// A picture that is being loaded; see ``LoadingTask``.
public typealias ImageTask = LoadingTask<ImageResponse>

/// Bytes that are being loaded; see ``LoadingTask``.
public typealias DataTask = LoadingTask<DataResponse>

/// One request under way: to be awaited, watched, hurried and cancelled.
///
/// ```swift
/// let task = pipeline.imageTask(with: url)
/// for await progress in task.progress { show(progress.fraction) }
/// let image = try await task.image
/// ```
///
/// It begins when it is made, and goes on whether or not somebody holds it, until it has ended or is cancelled. All
/// members may be used from any thread.
public final class LoadingTask<Response: Sendable>: Sendable {
  /// Something that happens to a task.
  public enum Event: Sendable {
    /// More bytes have come.
    case progress(LoadProgress)
    /// An unfinished picture; better is to come.
    case preview(Response)
    /// The end. Nothing comes after it.
    case finished(Result<Response, ImagePipeline.Error>)
  }

  /// How a task stands, all at one moment.
  public struct Status: Sendable {
    /// How urgent it is.
    public internal(set) var priority: ImageRequest.Priority
    /// How many bytes have come, of how many.
    public internal(set) var progress = LoadProgress()
    /// The last unfinished picture.
    public internal(set) var preview: Response?
    /// `nil` as long as the task goes on; a failure with ``ImagePipeline/Error/cancelled`` if it was cancelled.
    public internal(set) var result: Result<Response, ImagePipeline.Error>?
    /// Whether it ended by being cancelled, not by an error of that name.
    public internal(set) var isCancelled = false
    /// How often the status has changed, and in which the preview did.
    var number = 0
    var previewNumber = 0
  }

  struct State {
    var status: Status
    var work: AnyCancellable?
    var waiting: [UInt64: CheckedContinuation<Result<Response, ImagePipeline.Error>, Never>] = [:]
    /// Made when somebody watches.
    var watched: CurrentValueSubject<Status, Never>?
    var lastNumber: UInt64 = 0
    var urgency: Urgency?
    var observer: (@Sendable (Event) -> Void)?
    /// What the observer is still to be told.
    var news: [Event] = []
    var isTelling = false
  }

  /// Different from that of all other tasks of the program.
  public let id: UInt64
  /// As the pipeline carries it out: a delegate may have changed it.
  public let request: ImageRequest

  let state: Guarded<State>

  init(_ request: ImageRequest) {
    id = TaskNumbers.next()
    self.request = request
    state = Guarded(State(status: Status(priority: request.priority)))
  }

  /// How urgent it is. Of a task that has ended nothing changes.
  public var priority: ImageRequest.Priority {
    get { status.priority }
    set {
      let hasChanged = change { status in
        status.priority = newValue
        return true
      }
      if hasChanged { hurry() }
    }
  }

  /// How it stands now.
  public var status: Status { state.withLock { $0.status } }

  /// Whether it ended by being cancelled.
  public var isCancelled: Bool { status.isCancelled }

  /// Ends the task, and stops the work unless others wait for it. Does nothing once it has ended.
  public func cancel() { receive(.finished(.failure(.cancelled)), isCancellation: true) }

  // MARK: Running

  /// - Parameter observer: Is told all events, in order, the end last.
  /// - Returns: False if the task has ended already.
  func start(observer: @escaping @Sendable (Event) -> Void) -> Bool {
    state.withLock { state in
      guard state.status.result == nil else { return false }
      state.observer = observer
      return true
    }
  }

  /// Begins the work, which may end at once.
  func begin(_ work: (Urgency) -> AnyCancellable) {
    let urgency = Urgency(priority) { [weak self] in self?.receive(.progress($0)) }
    let isWanted = state.withLock { state in
      guard state.status.result == nil else { return false }
      state.urgency = urgency
      return true
    }
    guard isWanted else { return }
    // It may have changed before there was somebody to tell.
    hurry()
    let work = work(urgency)
    let unwanted = state.withLock { state in
      if state.status.result == nil { state.work = work }
      return state.status.result == nil ? nil : work
    }
    unwanted?.cancel()
  }

  private func hurry() {
    let (urgency, status) = state.withLock { ($0.urgency, $0.status) }
    urgency?.set(status.priority, change: status.number)
  }

  /// - Returns: False if the task had ended before.
  @discardableResult
  func receive(_ event: Event, isCancellation: Bool = false) -> Bool {
    let isNew = change(event) { status in
      switch event {
      case .progress(let progress):
        guard progress != status.progress else { return false }
        status.progress = progress
      case .preview(let preview):
        status.preview = preview
        status.previewNumber = status.number + 1
      case .finished(let result):
        status.result = result
        status.isCancelled = isCancellation
        status.preview = nil
      }
      return true
    }
    guard isNew else { return false }
    if case .finished(let result) = event { end(result) }
    tell()
    return true
  }

  /// Tells the observer what has happened, on one thread at a time: what happens meanwhile is told by that one.
  private func tell() {
    var isBack = false
    while let (observer, event) = state.withLock({ $0.next(isBack) }) {
      observer(event)
      isBack = true
    }
  }

  /// Changes the status of a task that goes on, and tells who watches.
  ///
  /// - Parameter event: What the observer is to be told of it, if anything.
  private func change(_ event: Event? = nil, _ body: (inout Status) -> Bool) -> Bool {
    let (hasChanged, news) = state.withLock { state in
      guard state.status.result == nil, body(&state.status) else {
        return (false, (CurrentValueSubject<Status, Never>, Status)?.none)
      }
      state.status.number += 1
      if let event, state.observer != nil { state.news.append(event) }
      return (true, state.watched.map { ($0, state.status) })
    }
    if let (watched, status) = news { watched.send(status) }
    return hasChanged
  }

  private func end(_ result: Result<Response, ImagePipeline.Error>) {
    let (work, watched, waiting, urgency) = state.withLock { state in
      defer { state.waiting = [:] }
      return (state.work.take(), state.watched, Array(state.waiting.values), state.urgency.take())
    }
    work?.cancel()
    watched?.send(completion: .finished)
    for continuation in waiting { continuation.resume(returning: result) }
    withExtendedLifetime(urgency) {}
  }
}

extension LoadingTask.State {
  /// - Parameter isBack: Whether the caller has just told what it was given before.
  /// - Returns: What to tell now, and whom; `nil` if there is nothing, or somebody is telling. The end is told last, and
  ///   lets go of the observer.
  fileprivate mutating func next(_ isBack: Bool) -> (
    @Sendable (LoadingTask.Event) -> Void, LoadingTask.Event
  )? {
    if isTelling, !isBack { return nil }
    isTelling = !news.isEmpty
    guard isTelling, let observer else { return nil }
    let event = news.removeFirst()
    if case .finished = event { self.observer = nil }
    return (observer, event)
  }
}

private enum TaskNumbers {
  private static let last = Atomic<UInt64>(0)

  static func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}

extension LoadingTask: Hashable {
  /// A task equals itself only.
  public static func == (left: LoadingTask, right: LoadingTask) -> Bool { left === right }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension LoadingTask: Identifiable {}

extension LoadingTask: CustomStringConvertible {
  /// Without secrets.
  public var description: String { "task \(id): \(request)" }
}
