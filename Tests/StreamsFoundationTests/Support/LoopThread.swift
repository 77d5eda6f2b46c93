import CoreFoundation
import Foundation
import Streams
import StreamsFoundation
import Synchronization

/// A run loop on a thread of its own, until it is stopped.
final class LoopThread: @unchecked Sendable {  // `loop` is written before anybody can read it
  private(set) var loop: RunLoop!
  private let hasStopped = DispatchSemaphore(value: 0)
  private let isRunning = Atomic(true)

  init(mode: RunLoop.Mode = .default) {
    let hasStarted = DispatchSemaphore(value: 0)
    let thread = Thread { [self] in
      loop = .current
      // A loop with nothing to wait for does not run.
      let appointment = loop.schedule(
        after: loop.now.advanced(by: .seconds(1_000_000)), interval: .seconds(1_000_000),
        tolerance: .seconds(0),
        options: .init(mode: mode)
      ) {}
      hasStarted.signal()
      while isRunning.load(ordering: .acquiring) { _ = loop.run(mode: mode, before: .distantFuture) }
      appointment.cancel()
      hasStopped.signal()
    }
    thread.start()
    hasStarted.wait()
  }

  /// True on the thread of the loop.
  var isCurrent: Bool { RunLoop.current === loop }

  /// Ends the thread, and waits until it has ended.
  func stop(mode: RunLoop.Mode = .default) -> Bool {
    loop.schedule(options: .init(mode: mode)) {
      self.isRunning.store(false, ordering: .releasing)
      CFRunLoopStop(CFRunLoopGetCurrent())
    }
    return hasStopped.comes()
  }
}
