import Interleavings
import LockAlone

extension Program {
  /// The product's lock, its word included: who is inside is alone, sees what those before did, and nobody sleeps for ever.
  static var locks: [Program] {
    [
      lock("two threads", [1, 1]),
      lock("two threads, twice", [2, 2]),
      lock("three threads", [1, 1, 1]),
      lock("three threads, one of them twice", [2, 1, 1]),
      Program(name: "lock: one within another") {
        let (outer, inner) = (Box(), Box())
        let body = { outer.add { inner.add {} } }
        let judge = { outer.sum == 2 && inner.sum == 3 ? nil : "X05: \(outer.sum) of 2, \(inner.sum) of 3" }
        return ([body, body, { inner.add {} }], judge)
      },
      Program(name: "lock: an error thrown inside") {
        let box = Box()
        return ([{ box.fail() }, { box.add {} }], { box.sum == 2 ? nil : "X05: \(box.sum) of 2" })
      },
    ]
  }

  /// Each fiber takes the lock so many times.
  private static func lock(_ name: String, _ times: [Int]) -> Program {
    Program(name: "lock: \(name)") {
      let box = Box()
      let bodies = times.map { times in { for _ in 0..<times { box.add {} } } }
      let sum = times.reduce(0, +)
      return (bodies, { box.sum == sum ? nil : "X05: \(box.sum) of \(sum)" })
    }
  }
}

/// A number under the product's lock.
private final class Box {
  private let lock = LockAlone.Lock()
  private let sample = Sample("what a lock protects")
  private(set) var sum = 0

  func add(_ body: () -> Void) {
    lock.withLock {
      sample.write()
      sum += 1
      body()
    }
  }

  func fail() {
    struct Failure: Error {}
    try? lock.withLock { () throws(Failure) in
      sample.write()
      sum += 1
      throw Failure()
    }
  }
}
