#if !canImport(Darwin)
  internal import CoreFoundation
  internal import Dispatch
  internal import Foundation
  internal import Streams

  /// Work scheduled on the main run loop, which the main queue serves as well.
  ///
  /// On Linux that loop does not run in a program whose `main` is asynchronous or ends with `dispatchMain()`. So each job is
  /// offered to both, and the first of them runs the next job. While the loop runs in a mode, a job for another mode waits,
  /// unless that is `.common`.
  final class MainLoop: Sendable {
    static let shared = MainLoop()

    private struct Line {
      var waiting = RingQueue<@Sendable () -> Void>()
      /// Whether the loop will look here the next time it runs. Once is enough, however many jobs wait: while the loop does not
      /// run, blocks that it is to perform are never released.
      var isAnnounced = false
    }

    private let lines = Guarded<[RunLoop.Mode: Line]>([:])

    /// Runs `job` once, in `mode`.
    func perform(in mode: RunLoop.Mode, _ job: @escaping @Sendable () -> Void) {
      let isFirst = lines.withLock { lines in
        lines[mode, default: Line()].waiting.append(job)
        defer { lines[mode]!.isAnnounced = true }
        return !lines[mode]!.isAnnounced
      }
      if isFirst { RunLoop.main.announce(in: mode) { self.serve(mode) } }
      MainQueue.run {
        if Self.isAllowed(mode) { self.next(in: mode)?() }
      }
    }

    /// Runs `job` at `date` and then every `period`; once without a period.
    ///
    /// - Returns: A closure that stops it.
    func startTimer(
      at date: Date, every period: TimeInterval?, leeway: TimeInterval, in mode: RunLoop.Mode,
      _ job: @escaping @Sendable () -> Void
    ) -> () -> Void {
      // The date counts now only. Later the wall clock may be set, and intervals stay as long as they are.
      let delay = date.timeIntervalSinceNow
      let ticks = Ticks(in: delay, every: period)
      let source = DispatchSource.makeTimerSource(queue: .main)
      let stop = Guarded<(() -> Void)?>(nil)
      let end: @Sendable () -> Void = { stop.withLock { $0.take() }?() }
      let tick: @Sendable () -> Void = {
        guard ticks.take() else { return }
        if period == nil { end() }
        job()
      }
      let stopLoop = RunLoop.main.startLoopTimer(at: date, every: period, leeway: leeway, in: mode, tick)
      stop.withLock {
        $0 = {
          stopLoop()
          source.cancel()
        }
      }
      source.setEventHandler { if Self.isAllowed(mode) { tick() } }
      source.schedule(
        deadline: .now() + delay.asDispatch,
        repeating: period.map(\.asDispatch) ?? .never, leeway: leeway.asDispatch)
      source.activate()
      if period == nil, ticks.wasTaken { end() }  // by the loop, before there was anything to stop
      return end
    }

    /// For the loop: runs the jobs that wait now, and not later ones, so that other work has its turn.
    private func serve(_ mode: RunLoop.Mode) {
      let count = lines.withLock { lines in
        lines[mode]!.isAnnounced = false
        return lines[mode]!.waiting.count
      }
      for _ in 0..<count { next(in: mode)?() }
    }

    private func next(in mode: RunLoop.Mode) -> (@Sendable () -> Void)? {
      lines.withLock { $0[mode]!.waiting.popFirst() }
    }

    /// Whether the main queue may run jobs for `mode`: not while the loop runs in another mode, unless it is `.common`.
    private static func isAllowed(_ mode: RunLoop.Mode) -> Bool {
      guard let current = CFRunLoopCopyCurrentMode(CFRunLoopGetMain()) else { return true }
      return mode == .common || CFEqual(current, mode.core)
    }
  }

  /// The number of a timer's ticks that were taken.
  private final class Ticks: Sendable {
    /// In seconds, by the clock that nobody sets.
    private let start: TimeInterval
    private let period: TimeInterval?
    private let last = Guarded(-Double.infinity)

    init(in delay: TimeInterval, every period: TimeInterval?) {
      start = Self.now + delay
      self.period = period
    }

    private static var now: TimeInterval { TimeInterval(DispatchTime.now().uptimeNanoseconds) / 1e9 }

    var wasTaken: Bool { last.withLock { $0 >= 0 } }

    /// True for the first caller for a tick. Clocks differ a little, so it may be early by a twentieth of the period.
    func take() -> Bool {
      let number = period.map { ((Self.now - start) / $0 + 0.05).rounded(.down) } ?? 0
      return last.withLock { last in
        defer { last = max(last, number) }
        return number > last
      }
    }
  }
#endif
