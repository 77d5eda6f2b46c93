internal import Streams

/// The requests of a prefetcher: in flight and waiting.
final class PrefetchSchedule: Sendable {
  private struct Entry {
    let number: UInt64
    let request: ImageRequest
    var work: (any PrefetchWork)?
  }

  private struct State {
    var entries: [EncodingJobKey: Entry] = [:]
    /// By the numbers of the entries.
    var waiting = PriorityQueue<EncodingJobKey>()
    var running = 0
    /// Whether a thread starts requests. It starts those of the others, too.
    var isStarting = false
    /// The number of reports being sent.
    var reporting = 0
    /// Whether the completion has to be sent once all reports are sent.
    var owesCompletion = false
    var isPaused = false
    var priority = ImageRequest.Priority.low
    /// Whether work in flight may have another priority, and whether a thread is changing that.
    var hasOldPriorities = false
    var isChangingPriorities = false
    var lastNumber: UInt64 = 0

    /// - Parameter isBack: Whether the caller has set the previous priority.
    /// - Returns: The priority, and the work to set it for. `nil` if there is none, or another thread is doing so.
    mutating func nextPriority(_ isBack: Bool) -> (ImageRequest.Priority, [any PrefetchWork])? {
      if isChangingPriorities, !isBack { return nil }
      isChangingPriorities = hasOldPriorities
      guard hasOldPriorities else { return nil }
      hasOldPriorities = false
      return (priority, entries.values.compactMap(\.work))
    }
  }

  enum Event: Sendable {
    case report(ImagePrefetcher.Report)
    case completed
  }

  let prefetch: Prefetch
  let width: Int
  /// A single subject, so that reports and completions stay in order, whichever threads send them.
  let events = PassthroughSubject<Event, Never>()
  private let state = Guarded(State())

  init(_ prefetch: Prefetch, width: Int) {
    self.prefetch = prefetch
    self.width = max(1, width)
  }

  deinit { events.send(completion: .finished) }

  var count: Int { state.withLock { $0.entries.count } }
  var waitingCount: Int { state.withLock { $0.waiting.count } }
  var isPaused: Bool { state.withLock { $0.isPaused } }
  var priority: ImageRequest.Priority { state.withLock { $0.priority } }

  func setPaused(_ isPaused: Bool) {
    state.withLock { $0.isPaused = isPaused }
    startWaiting()
  }

  func setPriority(_ priority: ImageRequest.Priority) {
    state.withLock { state in
      state.priority = priority
      state.hasOldPriorities = true
    }
    updatePriorities()
  }

  /// Sets the present priority for all work, on one thread at a time, so that the last change counts.
  private func updatePriorities() {
    var isBack = false
    while let (priority, works) = state.withLock({ $0.nextPriority(isBack) }) {
      for work in works { work.priority = priority }
      isBack = true
    }
  }

  func start(_ requests: [ImageRequest]) {
    var isNothingNew = !requests.isEmpty
    for request in requests {
      guard let key = prefetch.key(request) else {
        report(request, .failed(.dataLoadingFailed(.badURL(""))))
        continue
      }
      if prefetch.isInMemory(request) {
        report(request, .skipped)
      } else if admit(request, key) {
        isNothingNew = false
      }
    }
    if isNothingNew { state.withLock { $0.owesCompletion = $0.entries.isEmpty } }
    sendCompletionIfDone()
    startWaiting()
  }

  func stop(_ requests: [ImageRequest]) {
    let keys = requests.compactMap(prefetch.key)
    let gone = state.withLock { state in
      keys.compactMap { key -> Entry? in
        guard let entry = state.entries.removeValue(forKey: key) else { return nil }
        if state.waiting.remove(entry.number) == nil { state.running -= 1 }
        return entry
      }
    }
    cancel(gone)
    startWaiting()
  }

  func stopAll() {
    let gone = state.withLock { state in
      defer {
        state.entries = [:]
        state.waiting = PriorityQueue()
        state.running = 0
      }
      return Array(state.entries.values)
    }
    cancel(gone)
  }

  /// Requests hold closures and processors of the program, so they are released here, outside the lock.
  private func cancel(_ gone: [Entry]) {
    for entry in gone { entry.work?.cancel() }
  }

  // MARK: Progress

  private func admit(_ request: ImageRequest, _ key: EncodingJobKey) -> Bool {
    state.withLock { state in
      guard state.entries[key] == nil else { return false }
      state.lastNumber += 1
      state.entries[key] = Entry(number: state.lastNumber, request: request)
      state.waiting.append(key, id: state.lastNumber)
      return true
    }
  }

  /// Not from within itself: a request may end at once, and thousands may wait.
  private func startWaiting() {
    var isStarting = false
    while let (key, entry, priority) = next(after: isStarting) {
      isStarting = true
      var request = entry.request
      request.priority = priority
      let work = prefetch.begin(request) { [weak self] outcome in
        self?.end(key, entry, outcome)
      }
      let isWanted = state.withLock { state in
        guard state.entries[key]?.number == entry.number else { return false }
        state.entries[key]?.work = work
        if state.priority != priority { state.hasOldPriorities = true }
        return true
      }
      // It may have ended or been stopped before there was something to cancel, or whose priority could be changed.
      if isWanted { updatePriorities() } else { work.cancel() }
    }
  }

  /// - Parameter isStarting: Whether the caller has started the previous one.
  private func next(after isStarting: Bool) -> (EncodingJobKey, Entry, ImageRequest.Priority)? {
    state.withLock { state in
      if state.isStarting, !isStarting { return nil }
      state.isStarting = false
      guard !state.isPaused, state.running < width, let key = state.waiting.popFirst(),
        let entry = state.entries[key]
      else { return nil }
      state.running += 1
      state.isStarting = true
      return (key, entry, state.priority)
    }
  }

  private func end(
    _ key: EncodingJobKey, _ entry: Entry, _ outcome: ImagePrefetcher.Report.Outcome
  ) {
    let isKnown = state.withLock { state in
      guard state.entries[key]?.number == entry.number else { return false }
      state.running -= 1
      state.entries[key] = nil
      state.owesCompletion = state.entries.isEmpty
      state.reporting += 1
      return true
    }
    guard isKnown else { return }
    report(entry.request, outcome)
    state.withLock { $0.reporting -= 1 }
    sendCompletionIfDone()
    startWaiting()
  }

  /// Not while another thread is about to send a report, which must come first.
  private func sendCompletionIfDone() {
    let isEnd = state.withLock { state in
      guard state.reporting == 0, state.entries.isEmpty, state.owesCompletion else { return false }
      state.owesCompletion = false
      return true
    }
    if isEnd { events.send(.completed) }
  }

  private func report(_ request: ImageRequest, _ outcome: ImagePrefetcher.Report.Outcome) {
    events.send(.report(ImagePrefetcher.Report(request: request, outcome: outcome)))
  }
}
