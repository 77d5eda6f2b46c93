import CoreFoundation
import Foundation
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
      loop.add(Timer(fire: .distantFuture, interval: 1e9, repeats: true) { _ in }, forMode: mode)
      hasStarted.signal()
      while isRunning.load(ordering: .acquiring) { _ = loop.run(mode: mode, before: .distantFuture) }
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
