import CSandbox
import Synchronization

/// Workers that have nothing to do, and the way to make more. One works for one caller at a time.
final class WorkerPool: Sendable {
  private let settings: WorkerSettings
  private let limits: WorkerRequest.Limits
  private let idle = IdleWorkers(capacity: 64)

  /// A worker whose libraries leak, or whose processor time runs out, is replaced in time.
  private static let longestService = Duration.seconds(120)

  /// - Parameters:
  ///   - limits: The most that any image may take.
  ///   - draws: Whether the workers draw SVG.
  init(_ settings: WorkerSettings, limits: DecodingLimits, draws: Bool) {
    self.settings = settings
    // Twice the working memory: a library may hold as much again while it starts or ends.
    let bytes = [
      WorkerProcess.outputCount(limits), limits.maximumEncodedBytes, limits.maximumDecodedBytes,
      limits.maximumWorkingBytes, 128 << 20,
    ]
    let addressSpace = bytes.reduce(0) { $0 + min(max($1, 0), 1 << 40) }
    let seconds = (Self.longestService * 8 + limits.deadline) / .seconds(1)
    self.limits = WorkerRequest.Limits(
      addressSpace: addressSpace, processorSeconds: Int(min(max(seconds, 1), 1e9)), draws: draws)
  }

  /// A worker that is the caller's until it is given back.
  func take() throws(ImageCodecError) -> WorkerProcess {
    while let worker = idle.take() {
      if worker.isReady { return worker }
      worker.end()
    }
    return try WorkerProcess(program: program(), limits: limits)
  }

  /// Returns a worker to the pool. Ends it instead if it has been used enough.
  func give(_ worker: WorkerProcess) {
    let isWorn = worker.busy > Self.longestService || worker.imageCount >= settings.imagesPerWorker ?? .max
    if worker.hasEnded || isWorn { worker.end() } else { idle.give(worker) }
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

/// Idle workers, in places that are emptied and filled atomically, so no thread waits.
private final class IdleWorkers: Sendable {
  private final class Place: Sendable, CustomReflectable {
    private let address = Atomic<UInt>(0)

    /// Swift's own mirror cannot copy an atomic, and traps.
    var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }

    func swap(_ worker: WorkerProcess?) -> WorkerProcess? {
      let given = worker.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0
      let found = address.exchange(given, ordering: .acquiringAndReleasing)
      return UnsafeRawPointer(bitPattern: found)
        .map { Unmanaged<WorkerProcess>.fromOpaque($0).takeRetainedValue() }
    }
  }

  private let places: [Place]

  init(capacity: Int) { places = (0..<capacity).map { _ in Place() } }

  deinit {
    for place in places { place.swap(nil)?.end() }
  }

  /// The one that was given back last: its memory is still in the caches of the processor.
  func take() -> WorkerProcess? {
    for place in places {
      if let worker = place.swap(nil) { return worker }
    }
    return nil
  }

  func give(_ worker: WorkerProcess) {
    var worker = worker
    for place in places {
      guard let other = place.swap(worker) else { return }
      worker = other
    }
    worker.end()
  }
}
