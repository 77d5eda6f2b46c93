import Dispatch
import Foundation
import Streams

/// Exchanges two entries of a directory over and over, on a thread of its own, until it is stopped.
final class Exchange: Sendable {
  private let isStopped = Guarded(false)
  private let end = DispatchSemaphore(value: 0)
  private let count = Guarded(0)

  /// How often the two were exchanged.
  var rounds: Int { count.withLock { $0 } }

  init(_ first: URL, _ second: URL) {
    let paths = [first, second, first.appendingPathExtension("moved")].map { $0.path }
    Thread.detachNewThread { [isStopped, end, count] in
      while !isStopped.withLock({ $0 }) {
        rename(paths[0], paths[2])
        rename(paths[1], paths[0])
        rename(paths[2], paths[1])
        count.withLock { $0 += 1 }
      }
      end.signal()
    }
  }

  /// Returns when nothing is exchanged any more.
  func stop() {
    isStopped.withLock { $0 = true }
    end.wait()
  }
}
