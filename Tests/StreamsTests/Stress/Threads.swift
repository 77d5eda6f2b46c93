import Foundation
import Streams
import Synchronization

/// Runs `body` on another thread, and returns when it has returned.
///
/// So a test decides exactly what happens elsewhere in the middle of a delivery.
func elsewhere(_ body: @escaping @Sendable () -> Void) { run([body]) }

/// Runs every body on a thread of its own, all starting at the same moment, and returns when all have returned, and everything
/// is delivered.
func race(_ bodies: (@Sendable () -> Void)...) {
  run(bodies)
  waitForDeliveries()
}

/// Returns when nothing is delivered any more on behalf of calls that have returned.
func waitForDeliveries() {
  while !DrainThreads.areIdle { sched_yield() }
}

private func run(_ bodies: [@Sendable () -> Void]) {
  let line = StartingLine(bodies.count)
  let done = DispatchGroup()
  for body in bodies {
    let runner = Runner(body)
    done.enter()
    Thread.detachNewThread {
      line.wait()
      runner.run()
      done.leave()
    }
  }
  done.wait()
}

/// Where threads wait for each other, so that none has finished before another starts.
private final class StartingLine: Sendable {
  private let missing: Atomic<Int>

  init(_ count: Int) { missing = Atomic(count) }

  func wait() {
    missing.wrappingSubtract(1, ordering: .acquiringAndReleasing)
    while missing.load(ordering: .acquiring) > 0 { sched_yield() }
  }
}

/// Holds what a thread runs, and lets go of it before anybody hears that it has run: tests look for leaks then.
private final class Runner: Sendable {
  private let body: Guarded<(@Sendable () -> Void)?>

  init(_ body: @escaping @Sendable () -> Void) { self.body = Guarded(body) }

  func run() { body.withLock { $0.take() }?() }
}
