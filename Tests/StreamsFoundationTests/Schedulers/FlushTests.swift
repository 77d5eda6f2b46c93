import Dispatch
import Streams
import StreamsFoundation
import StreamsTesting
import Testing

@Suite("`receive(on:)`: queue jobs")
struct FlushTests {
  let queue = DispatchQueue(label: "tested")

  @Test("A queue job submitted after values runs after their delivery", arguments: [1, 100, 1000, 10_000])
  func flush(count: Int) {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.receive(on: queue).record()
    defer { recorder.cancel() }

    for round in 1...5 {
      for number in 0..<count { subject.send(number) }
      queue.sync {}
      #expect(recorder.values.count == round * count)
    }
  }
}
