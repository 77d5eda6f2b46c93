internal import CoreFoundation
internal import Foundation
internal import Streams

/// Functions that Foundation's run loop lacks on Linux: waking it, and timers that are released.
///
/// `RunLoop.perform` leaves a loop asleep there, and a `Timer` is never released.
extension RunLoop {
  /// Runs `job` once on the thread of the loop, or, if this is the main one, on the main queue.
  func perform(in mode: Mode, _ job: @escaping @Sendable () -> Void) {
    #if canImport(Darwin)
      announce(in: mode, job)
    #else
      if self === RunLoop.main { MainLoop.shared.perform(in: mode, job) } else { announce(in: mode, job) }
    #endif
  }

  /// Runs `job` on the thread of the loop, or, if this is the main one, on the main queue, at `date` and then every
  /// `period`; once without a period.
  ///
  /// - Returns: A closure that stops it.
  func startTimer(
    at date: Date, every period: TimeInterval?, leeway: TimeInterval, in mode: Mode,
    _ job: @escaping @Sendable () -> Void
  ) -> () -> Void {
    #if !canImport(Darwin)
      if self === RunLoop.main {
        return MainLoop.shared.startTimer(at: date, every: period, leeway: leeway, in: mode, job)
      }
    #endif
    return startLoopTimer(at: date, every: period, leeway: leeway, in: mode, job)
  }

  /// The same, on the thread of the loop only.
  func startLoopTimer(
    at date: Date, every period: TimeInterval?, leeway: TimeInterval, in mode: Mode,
    _ job: @escaping @Sendable () -> Void
  ) -> () -> Void {
    // Foundation reports that as an error, and nothing else happens.
    if MainQueue.hasLostMainThread, self === RunLoop.main { return {} }
    if let period { return startCoreTimer(at: date, every: period, leeway: leeway, in: mode, job) }
    return LoopTimetable.of(self, in: mode).add(at: SteadyDates.date(for: date), leeway: leeway, job)
  }

  /// Runs `job` once on the thread of the loop, and wakes it for that.
  func announce(in mode: Mode, _ job: @escaping @Sendable () -> Void) {
    perform(inModes: [mode], block: job)
    if let core {
      CFRunLoopWakeUp(core)
    } else {
      add(Timer(fire: .distantPast, interval: 0, repeats: false) { _ in }, forMode: mode)
    }
  }

  /// Runs `job` on the thread of the loop, at `date` and then every `period`, with a timer of its own.
  ///
  /// - Returns: A closure that stops it.
  func startCoreTimer(
    at date: Date, every period: TimeInterval?, leeway: TimeInterval, in mode: Mode,
    _ job: @escaping @Sendable () -> Void
  ) -> () -> Void {
    guard let core else {
      let timer = Timer(fire: date, interval: period ?? 0, repeats: period != nil) { _ in job() }
      timer.tolerance = leeway
      add(timer, forMode: mode)
      return { timer.invalidate() }
    }
    let timer = core.addTimer(at: date, every: period, leeway: leeway, in: mode, job)
    return { CFRunLoopTimerInvalidate(timer) }
  }

  /// The loop of Core Foundation behind this one; `nil` if a Foundation does not expose it.
  var core: CFRunLoop? {
    #if canImport(Darwin)
      return getCFRunLoop()
    #else
      if self === RunLoop.current { return CFRunLoopGetCurrent() }
      let storage = Mirror(reflecting: self).children.first { $0.label == "_cfRunLoopStorage" }
      guard let object = storage?.value as AnyObject?, CFGetTypeID(object) == CFRunLoopGetTypeID() else {
        return nil
      }
      // A checked cast of Swift does not work for Core Foundation's types. The line above is the check.
      return Unmanaged.fromOpaque(Unmanaged.passUnretained(object).toOpaque()).takeUnretainedValue()
    #endif
  }
}

extension RunLoop.Mode {
  var core: CFRunLoopMode {
    #if canImport(Darwin)
      return CFRunLoopMode(rawValue as CFString)
    #else
      if self == .default { return kCFRunLoopDefaultMode }
      if self == .common { return kCFRunLoopCommonModes }
      return CFStringCreateWithCString(nil, rawValue, CFStringBuiltInEncodings.UTF8.rawValue)
    #endif
  }
}

extension CFRunLoop {
  /// Adds a timer, which the loop retains until it has fired for the last time or is invalidated.
  func addTimer(
    at date: Date, every period: TimeInterval?, leeway: TimeInterval, in mode: RunLoop.Mode,
    _ job: @escaping @Sendable () -> Void
  ) -> CFRunLoopTimer {
    let timer = CFRunLoopTimerCreateWithHandler(
      nil, date.timeIntervalSinceReferenceDate, period ?? 0, 0, 0, { _ in job() })!
    CFRunLoopTimerSetTolerance(timer, leeway)
    CFRunLoopAddTimer(self, timer, mode.core)
    return timer
  }
}
