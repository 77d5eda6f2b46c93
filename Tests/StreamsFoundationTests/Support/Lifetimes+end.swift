import Dispatch
import Foundation
import StreamsTesting

extension Lifetimes {
  /// Whether all tracked objects are released. Waits for it, because a queue releases an operation after it counts as
  /// finished.
  func end(within seconds: Double = 600) -> Bool {
    let deadline = DispatchTime.now() + seconds
    while !living.isEmpty, DispatchTime.now() < deadline { sched_yield() }
    return living.isEmpty
  }
}
