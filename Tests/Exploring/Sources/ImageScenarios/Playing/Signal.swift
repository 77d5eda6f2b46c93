internal import Interleavings

/// What one fiber sets and others wait for. It orders them.
final class Signal: @unchecked Sendable {  // fibers share one thread
  private let object = Explorer.shared.newObject()
  private var past = VectorClock()
  private(set) var isSet = false

  func set() {
    past = Explorer.shared.publish()
    isSet = true
    Explorer.shared.touch(object)
  }

  func wait() {
    Explorer.shared.wait(for: object) { [unowned self] in isSet }
    Explorer.shared.join(past)
  }
}

/// Waits until `condition` holds, which may look into the sources. It looks again whenever another fiber has done
/// something.
func poll(_ condition: () -> Bool) {
  let explorer = Explorer.shared
  let object = explorer.newObject()
  while !condition() {
    let seen = explorer.steps
    explorer.wait(for: object) { explorer.steps != seen }
  }
}
