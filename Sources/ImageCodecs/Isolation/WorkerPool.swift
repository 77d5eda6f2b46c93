import CSandbox
import Synchronization

/// Workers that have nothing to do, and the way to make more. One works for one caller at a time.
package final class WorkerPool: Sendable, CustomReflectable {
  private let settings: WorkerSettings
  private let limits: WorkerRequest.Limits
  private let idle: IdleWorkers
  private let starts = Atomic(0)

  /// The processor time after which a worker is replaced: its libraries may leak, and the system ends it a little later.
  private static let longestService = Duration.seconds(120)

  /// - Parameters:
  ///   - limits: The most that any image may take.
  ///   - task: What the workers are for.
  init(_ settings: WorkerSettings, limits: DecodingLimits, task: WorkerRequest.Task) {
    self.settings = settings
    idle = IdleWorkers(capacity: 64, longest: Self.longestIdle(limits))
    self.limits = Self.processLimits(limits, task)
  }

  /// How long a worker is kept without work.
  package static func longestIdle(_ limits: DecodingLimits) -> Duration {
    min(max(limits.deadline, .milliseconds(200)), .seconds(30))
  }

  package static func processLimits(
    _ limits: DecodingLimits, _ task: WorkerRequest.Task
  ) -> WorkerRequest.Limits {
    // A reply has an image, or metadata.
    let output = max(WorkerProcess.outputCount(limits), MetadataParcel.maximumCount(limits) + 1 << 20)
    let bytes = [
      output, limits.maximumEncodedBytes, limits.maximumDecodedBytes, limits.maximumWorkingBytes, 128 << 20,
    ]
    let addressSpace = bytes.reduce(0) { $0 + min(max($1, 0), 1 << 40) }
    let seconds = (Self.longestService + limits.deadline * 4) / .seconds(1)
    return WorkerRequest.Limits(
      addressSpace: addressSpace, processorSeconds: Int(min(max(seconds, 1), 1e9)), task: task)
  }

  /// Swift's own mirror cannot copy an atomic, and traps.
  package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }

  /// Calls `body` with a worker, which is ended if an error may have left traces in it. If a worker that has decoded before
  /// fails itself, `body` is called once more with a new one.
  ///
  /// - Parameter keeps: Whether `body` keeps the worker if it succeeds.
  func withWorker<Value>(
    keeps: Bool = false, _ body: (WorkerProcess) throws(ImageCodecError) -> Value
  ) throws(ImageCodecError) -> Value {
    let worker = try take()
    // If it has read other images, one of them may have taken it over: this one is not to fail for that.
    let mayBeTakenOver = worker.imageCount > 0
    do throws(ImageCodecError) {
      return try use(worker, keeps: keeps, body)
    } catch {
      guard mayBeTakenOver, error.mayBeOfAnotherImage else { throw error }
    }
    return try use(start(), keeps: keeps, body)
  }

  private func use<Value>(
    _ worker: WorkerProcess, keeps: Bool, _ body: (WorkerProcess) throws(ImageCodecError) -> Value
  ) throws(ImageCodecError) -> Value {
    do throws(ImageCodecError) {
      let value = try body(worker)
      if !keeps { give(worker) }
      return value
    } catch {
      if error.mayLeaveTraces { worker.end() }
      give(worker)
      throw error
    }
  }

  /// A worker that is the caller's until it is given back.
  private func take() throws(ImageCodecError) -> WorkerProcess {
    while let worker = idle.take() {
      if worker.isReady { return worker }
      worker.end()
    }
    return try start()
  }

  private func start() throws(ImageCodecError) -> WorkerProcess {
    let worker = try WorkerProcess(program: program(), limits: limits)
    starts.wrappingAdd(1, ordering: .relaxed)
    return worker
  }

  /// How many workers were started so far.
  var startCount: Int { starts.load(ordering: .relaxed) }

  /// Returns a worker to the pool. Ends it instead if it has been used enough.
  private func give(_ worker: WorkerProcess) {
    worker.rest()
    let isWorn =
      worker.processorTime > Self.longestService || worker.imageCount >= settings.imagesPerWorker ?? .max
    if worker.hasEnded || isWorn { worker.end() } else { idle.give(worker) }
  }

  /// Returns a worker to the pool once it has closed its animation, or else ends it. Does not wait for that.
  func takeBack(_ worker: WorkerProcess) {
    worker.askToClose()
    let place = Place(worker)
    let isPlanned = WorkerTimer.run(after: WorkerProcess.grace) {
      guard let worker = place.swap(nil) else { return }
      if worker.hasClosed { self.give(worker) } else { worker.end() }
    }
    if !isPlanned { place.swap(nil)?.end() }
  }

  private func program() throws(ImageCodecError) -> String {
    guard sandbox_is_supported() else { throw .isolationUnavailable(.platform) }
    if case .path(let path) = settings.program { return path }
    if ImageWorker.isThisProgram { return "/proc/self/exe" }
    let path = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer -> String? in
      guard let start = buffer.baseAddress, sandbox_find_beside("image-worker", start, buffer.count) else {
        return nil
      }
      return String(cString: start)
    }
    guard let path else { throw .isolationUnavailable(.programMissing) }
    return path
  }
}

extension ImageCodecError {
  /// Whether a decoder that failed so may have left memory, threads or worse behind: the next image gets another worker.
  fileprivate var mayLeaveTraces: Bool {
    switch self {
    case .notAnImage, .unsupportedFormat, .missingLibrary, .tooLarge, .truncated, .invalidSize, .cancelled:
      false
    default: true
    }
  }

  /// Whether the worker has failed, rather than the image.
  fileprivate var mayBeOfAnotherImage: Bool {
    switch self {
    case .decoderCrashed, .decoderMisbehaved: true
    default: false
    }
  }
}
