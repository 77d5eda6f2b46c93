#if !canImport(Darwin)
  internal import CoreFoundation
  internal import Dispatch
  internal import Foundation
  internal import Streams

  /// What is scheduled on the main run loop, which the main queue serves as well.
  ///
  /// On Linux nobody runs that loop in a program whose `main` is asynchronous or ends with `dispatchMain()`. So each job is
  /// offered to both, and whoever comes first runs the one whose turn it is. While somebody runs the loop in a mode, a job
  /// for another mode waits.
  final class MainLoop: Sendable {
    static let shared = MainLoop()

    private struct Line {
      var waiting = Fifo<@Sendable () -> Void>()
      /// Whether the loop will look here the next time that it runs. Once is enough, however many wait: while nobody runs it,
      /// what it is to perform is never given back.
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
    /// - Returns: What stops that.
    func startTimer(
      at date: Date, every period: TimeInterval?, leeway: TimeInterval, in mode: RunLoop.Mode,
      _ job: @escaping @Sendable () -> Void
    ) -> () -> Void {
      let ticks = Ticks(from: date, every: period)
      let source = DispatchSource.makeTimerSource(queue: .main)
      let stop = Guarded<(() -> Void)?>(nil)
      let end: @Sendable () -> Void = { stop.withLock { $0.take() }?() }
      let tick: @Sendable () -> Void = {
        guard ticks.take(at: Date()) else { return }
        if period == nil { end() }
        job()
      }
      let stopLoop = RunLoop.main.startCoreTimer(at: date, every: period, leeway: leeway, in: mode, tick)
      stop.withLock {
        $0 = {
          stopLoop()
          source.cancel()
        }
      }
      source.setEventHandler { if Self.isAllowed(mode) { tick() } }
      source.schedule(
        wallDeadline: .now() + date.timeIntervalSinceNow.asDispatch,
        repeating: period.map(\.asDispatch) ?? .never, leeway: leeway.asDispatch)
      source.activate()
      if period == nil, ticks.wasTaken { end() }  // by the loop, before there was anything to stop
      return end
    }

    /// For the loop: what waits now, and not what comes meanwhile, so that others have their turn.
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

    /// Whether the main queue may do what is for `mode`: not while the loop runs in another.
    private static func isAllowed(_ mode: RunLoop.Mode) -> Bool {
      guard let current = CFRunLoopCopyCurrentMode(CFRunLoopGetMain()) else { return true }
      return mode == .common || CFEqual(current, mode.core)
    }
  }

  /// Which of a timer's ticks has been taken, by whoever came first.
  private final class Ticks: Sendable {
    private let start: Date
    private let period: TimeInterval?
    private let last = Guarded(-Double.infinity)

    init(from start: Date, every period: TimeInterval?) {
      self.start = start
      self.period = period
    }

    var wasTaken: Bool { last.withLock { $0 >= 0 } }

    /// True for the first to come for a tick. Clocks differ a little, so it may come early by a twentieth of the period.
    func take(at date: Date) -> Bool {
      let number = period.map { (date.timeIntervalSince(start) / $0 + 0.05).rounded(.down) } ?? 0
      return last.withLock { last in
        defer { last = max(last, number) }
        return number > last
      }
    }
  }
#endif
