import Streams
import StreamsTesting
import Testing

/// Law R1 at length: many values, asked for one by one from inside the last.
@Suite("A long synchronous stream")
struct StackTests {
  @Test("asked for one by one, does not deepen the stack")
  func sequence() {
    #expect(depth(of: (0..<20_000).publisher, 20_000) <= depth(of: (0..<20).publisher, 20) + 4096)
  }

  @Test("that opens one child after another does not deepen the stack")
  func flatMap() {
    let few = (0..<20).publisher.flatMap(maxPublishers: .max(1)) { Just($0) }
    let many = (0..<5000).publisher.flatMap(maxPublishers: .max(1)) { Just($0) }

    #expect(depth(of: many, 5000) <= depth(of: few, 20) + 4096)
  }

  @Test("that drops most of its values does not deepen the stack")
  func filter() {
    let few = (0..<20).publisher.filter { $0 == 19 }
    let many = (0..<20_000).publisher.filter { $0 == 19_999 }

    #expect(depth(of: many, 1) <= depth(of: few, 1) + 4096)
  }

  @Test("with a scheduler that runs at once does not deepen the stack")
  func immediately() {
    let few = (0..<20).publisher.receive(on: ImmediateScheduler.shared)
    let many = (0..<5000).publisher.receive(on: ImmediateScheduler.shared)

    #expect(depth(of: many, 5000) <= depth(of: few, 20) + 4096)
  }

  /// How far apart on the stack the values are received.
  private func depth<P: Publisher>(of publisher: P, _ count: Int) -> UInt where P.Output == Int {
    var (lowest, highest) = (UInt.max, UInt.min)
    let recorder = publisher.record(demand: .max(1)) { recorder in
      recorder.onValue = { recorder, _ in
        withUnsafeBytes(of: recorder) { here in
          let address = UInt(bitPattern: here.baseAddress)
          (lowest, highest) = (min(lowest, address), max(highest, address))
        }
        recorder.request(.max(1))
      }
    }
    #expect(recorder.values.count == count)
    #expect(recorder.completions.count == 1)
    return highest - lowest
  }
}
