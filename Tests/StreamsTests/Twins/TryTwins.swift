import Streams
import StreamsTesting
import Testing

/// A `try` operator whose closure does not throw is its plain twin; if it throws, it is the twin up to there.
@Suite("A try operator")
struct TryTwins {
  @Test("that never throws maps as the plain one does", arguments: Asking.allCases)
  func map(_ asking: Asking) {
    for values in smallArrays() {
      let plain = asking.record(values.publisher.map { $0 * 2 })
      let trying = asking.record(values.publisher.tryMap { $0 * 2 })

      #expect(described(trying) == described(plain))
    }
  }

  @Test("that never throws ends its prefix as the plain one does", arguments: Asking.allCases)
  func prefix(_ asking: Asking) {
    for values in smallArrays() {
      for threshold in 0...3 {
        let plain = asking.record(values.publisher.prefix { $0 < threshold })
        let trying = asking.record(values.publisher.tryPrefix { $0 < threshold })

        #expect(described(trying) == described(plain))
      }
    }
  }

  @Test("that throws sends what came before, then the error", arguments: Asking.allCases)
  func throwing(_ asking: Asking) {
    for values in smallArrays() {
      for threshold in 0...3 {
        let before = Array(values.prefix { $0 < threshold })
        let mapped = asking.record(values.publisher.tryMap { try $0.less(than: threshold) })
        let prefixed = asking.record(values.publisher.tryPrefix { try $0.less(than: threshold) >= 0 })

        let ending = before == values ? "finished" : "failure thrown"
        #expect(described(mapped) == before.map { "value \($0)" } + [ending])
        #expect(described(prefixed) == described(mapped))
      }
    }
  }

  private func described<Output, Failure>(_ recorder: Recorder<Output, Failure>) -> [String] {
    recorder.events.dropFirst().map { "\($0)" }
  }
}

extension Int {
  fileprivate func less(than threshold: Int) throws -> Int {
    if self < threshold { return self }
    throw TestFailure.thrown
  }
}
