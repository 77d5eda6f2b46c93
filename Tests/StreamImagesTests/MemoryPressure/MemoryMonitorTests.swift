import Foundation
import StreamImages
import StreamsExtras
import Testing

@Suite("`MemoryMonitor`")
struct MemoryMonitorTests {
  private let folder: TemporaryFolder
  private let scheduler = ManualScheduler()

  init() throws { folder = try TemporaryFolder() }

  private var monitor: MemoryMonitor {
    MemoryMonitor(MemoryGauge(root: folder.url.path), every: 2, on: scheduler.eraseToAnyScheduler())
  }

  private func write(_ path: String, _ text: String) throws {
    let file = folder.url.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// The pressure after one look; `nil` if nothing is reported.
  private func pressure(_ change: () throws -> Void) throws -> MemoryPressure? {
    let (monitor, heard) = (monitor, Shared<[MemoryPressure]>([]))
    let following = monitor.publisher.sink { pressure in heard.change { $0.append(pressure) } }
    try change()
    scheduler.runAll()
    following.cancel()
    #expect(heard.value.count <= 1)
    return heard.value.first
  }

  @Test("Each kind of pressure begins at its bound")
  func bounds() throws {
    for (used, expected) in [
      (4_999, nil), (5_000, .warning), (5_001, .warning), (5_699, .warning), (5_700, .critical),
      (6_000, .critical), (6_001, .critical),
    ] as [(Int, MemoryPressure?)] {
      try write("sys/fs/cgroup/memory.max", "6000")
      try write("sys/fs/cgroup/memory.current", "\(used)")
      #expect(try pressure {} == expected, "\(used)")
    }
  }

  @Test("Stalls of some tasks are a warning, and those of all are critical, from a tenth of the time")
  func stalls() throws {
    for (some, all, expected) in [
      (199_999, 0, nil), (200_000, 0, .warning), (200_000, 199_999, .warning), (200_000, 200_000, .critical),
      (0, 200_000, .critical), (0, 0, nil),
    ] as [(Int, Int, MemoryPressure?)] {
      // What was before does not count.
      try write("proc/pressure/memory", "some total=900000\nfull total=800000")
      let found = try pressure {
        try write("proc/pressure/memory", "some total=\(900_000 + some)\nfull total=\(800_000 + all)")
      }
      #expect(found == expected, "\(some) \(all)")
    }
  }

  @Test("Memory is measured at the interval, with half of it as the tolerance")
  func timer() throws {
    let following = monitor.publisher.sink { _ in }

    let timer = try #require(scheduler.timers.value.first)
    #expect(scheduler.timers.value.count == 1)
    #expect(timer.date == scheduler.now.advanced(by: .seconds(2)))
    #expect(timer.interval == .seconds(2) && timer.tolerance == .seconds(1))
    following.cancel()
    #expect(scheduler.cancellations.value == 1)
  }

  @Test("Measuring begins and ends again with later subscribers")
  func again() {
    let monitor = monitor
    for round in 1...3 {
      let following = (0..<2).map { _ in monitor.publisher.sink { _ in } }
      #expect(monitor.isWatching && scheduler.timers.value.count == round)
      for cancellable in following { cancellable.cancel() }
      #expect(!monitor.isWatching && scheduler.cancellations.value == round)
    }
  }

  @Test("Memory pressures are ordered by severity")
  func order() {
    let all = MemoryPressure.allCases
    #expect(all == [.normal, .warning, .critical])
    for (index, left) in all.enumerated() {
      for (other, right) in all.enumerated() {
        #expect((left < right) == (index < other))
        #expect(max(left, right) == all[max(index, other)])
      }
    }
  }

  @Test("The shared image cache observes the memory pressure of the system")
  func shared() async {
    // In a process of its own, as other tests observe it, too.
    await #expect(processExitsWith: .success) {
      precondition(!MemoryMonitor.shared.isWatching)
      withExtendedLifetime(ImageCache.shared) { precondition(MemoryMonitor.shared.isWatching) }
    }
  }
}
