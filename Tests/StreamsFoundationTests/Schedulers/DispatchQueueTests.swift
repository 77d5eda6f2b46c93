import Dispatch
import Streams
import StreamsExtras
import StreamsFoundation
import StreamsTesting
import Testing

@Suite("`DispatchQueue` as a scheduler")
struct DispatchQueueTests {
  let queue = DispatchQueue(label: "tested")
  let done = DispatchSemaphore(value: 0)

  @Test("A dispatch queue runs scheduled actions on itself in order")
  func order() {
    let line = Line<Int>()
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)

    for number in 0..<1000 {
      queue.schedule { if DispatchQueue.getSpecific(key: key) == true { line.add(number) } }
    }
    queue.sync {}

    #expect(line.all == Array(0..<1000))
  }

  @Test("Immediate and delayed actions belong to the dispatch group of their options")
  func group() {
    let group = DispatchGroup()
    let line = Line<Int>()

    queue.schedule(options: .init(group: group)) { line.add(1) }
    queue.schedule(
      after: queue.now.advanced(by: .milliseconds(20)), tolerance: 0,
      options: .init(qos: .userInitiated, group: group)
    ) { line.add(2) }
    let isOver = group.wait(timeout: .now() + 600) == .success

    #expect(isOver)
    #expect(line.all == [1, 2])
  }

  @Test("A barrier action runs after the actions scheduled before it")
  func flags() {
    let concurrent = DispatchQueue(label: "tested", attributes: .concurrent)
    let line = Line<Int>()
    let gate = DispatchSemaphore(value: 0)

    for number in 0..<3 {
      concurrent.schedule {
        _ = gate.comes()
        line.add(number)
      }
    }
    concurrent.schedule(options: .init(flags: .barrier)) { line.add(3) }
    concurrent.schedule { self.done.signal() }
    for _ in 0..<3 { gate.signal() }

    #expect(done.comes())
    #expect(line.all.last == 3 && line.count == 4)
  }

  @Test("The main dispatch queue delivers values under an asynchronous `main`")
  func mainQueue() async {
    let recorder = (0..<1000).publisher.receive(on: DispatchQueue.main).record()

    let completion = await recorder.ended()

    #expect(completion == .finished)
    #expect(recorder.values == Array(0..<1000))
  }
}
