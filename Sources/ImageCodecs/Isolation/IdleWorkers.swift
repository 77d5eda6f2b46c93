import Synchronization

/// Idle workers, in places that are emptied and filled atomically, so no thread waits.
///
/// A worker that is idle for long is ended: it may hold memory, or run, although there is nothing to do.
final class IdleWorkers: Sendable, CustomReflectable {
  private let places: [Place<WorkerProcess>]
  private let longest: Duration
  private let isWatched = Atomic(false)

  /// - Parameter longest: The time after which an idle worker is ended. It may take twice as long.
  init(capacity: Int, longest: Duration) {
    places = (0..<capacity).map { _ in Place() }
    self.longest = longest
  }

  /// Swift's own mirror cannot copy an atomic, and traps.
  var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }

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
    if !watches() { return worker.end() }
    var worker = worker
    for place in places {
      guard let other = place.swap(worker) else { return }
      worker = other
    }
    worker.end()
  }

  /// Returns false if nothing would end a worker that is kept.
  private func watches() -> Bool {
    if isWatched.exchange(true, ordering: .acquiringAndReleasing) { return true }
    let isPlanned = WorkerTimer.run(after: longest) { [weak self] in self?.endIdle() }
    if !isPlanned { isWatched.store(false, ordering: .releasing) }
    return isPlanned
  }

  private func endIdle() {
    isWatched.store(false, ordering: .releasing)
    let now = ContinuousClock.now
    for place in places {
      guard let worker = place.swap(nil) else { continue }
      let isKept = worker.isReady && !worker.hasManyThreads && now - worker.idleSince < longest
      if isKept { give(worker) } else { worker.end() }
    }
  }
}

/// The place of an object that nobody uses. Who takes it out owns it.
final class Place<Object: AnyObject>: Sendable, CustomReflectable {
  private let address = Atomic<UInt>(0)

  init(_ object: Object? = nil) { _ = swap(object) }

  /// Swift's own mirror cannot copy an atomic, and traps.
  var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }

  func swap(_ object: Object?) -> Object? {
    let given = object.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) } ?? 0
    let found = address.exchange(given, ordering: .acquiringAndReleasing)
    return UnsafeRawPointer(bitPattern: found).map { Unmanaged<Object>.fromOpaque($0).takeRetainedValue() }
  }
}
