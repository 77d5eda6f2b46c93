internal import Interleavings

/// What a session of libcurl and its thread share: a wake-up.
package final class Transport {
  nonisolated(unsafe) private static var all: [Transport] = []  // fibers share one thread

  private let object = Explorer.shared.newObject()
  private var isWoken = false
  private var past = VectorClock()
  /// Whether a transfer has something for its consumer.
  package var hasMore = false
  package var hasEnded = false

  package static func begin() { all = [] }

  package static func make() -> OpaquePointer {
    all.append(Transport())
    return OpaquePointer(bitPattern: all.count)!
  }

  package static func at(_ pointer: OpaquePointer) -> Transport { all[Int(bitPattern: pointer) - 1] }

  package func wake() {
    Explorer.shared.point(object)
    past = Explorer.shared.publish()
    isWoken = true
    Explorer.shared.touch(object)
  }

  package func wait() {
    Explorer.shared.wait(for: object) { [unowned self] in isWoken || hasMore }
    Explorer.shared.join(past)
    isWoken = false
  }

  package func end() {
    past = Explorer.shared.publish()
    hasEnded = true
    Explorer.shared.touch(object)
  }

  package func join() {
    Explorer.shared.wait(for: object) { [unowned self] in hasEnded }
    Explorer.shared.join(past)
  }
}
