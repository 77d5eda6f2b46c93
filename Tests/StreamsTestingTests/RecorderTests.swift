import Streams
import StreamsTesting
import Testing

@Suite("`Recorder`")
struct RecorderTests {
  private struct Broken: Error, Equatable {}

  @Test("A recorder records all events in order, even invalid ones")
  func order() {
    let script = Script(Int.self, failure: Broken.self)
    let recorder = script.record()

    script.say(1)
    script.end(.failure(Broken()))
    script.say(2)
    script.session?.handOver(SubscriptionRecorder())

    #expect(
      recorder.events == [
        .subscription, .value(1), .completion(.failure(Broken())), .value(2), .subscription,
      ])
    #expect(recorder.values == [1, 2])
    #expect(recorder.completions == [.failure(Broken())])
    #expect(recorder.subscriptions.count == 2)
  }

  @Test("A recorder requests its initial demand once and returns demand for each value")
  func demand() {
    let script = Script(Int.self, failure: Never.self)
    let recorder = Recorder<Int, Never>(demand: .max(2)) { $0 == 1 ? .max(3) : .none }

    script.subscribe(recorder)
    let answers = [script.say(1), script.say(2)]
    script.session?.handOver(SubscriptionRecorder())

    #expect(script.demands == [.max(2)])
    #expect(answers == [.max(3), .none])
    #expect(recorder.demanded == .max(5))
    #expect(recorder.outstanding == .max(3))
  }

  @Test("A recorder without initial demand requests nothing until `request` is called")
  func requests() {
    let script = Script(Int.self, failure: Never.self)
    let recorder = script.record(demand: .none)
    let before = script.demands

    recorder.request(.max(1))
    recorder.request(.unlimited)

    #expect(before.isEmpty)
    #expect(script.demands == [.max(1), .unlimited])
    #expect(recorder.outstanding == .unlimited)
  }

  @Test("A recorder calls its hooks after recording each event")
  func hooks() {
    var seen: [String] = []
    let script = Script(Int.self, failure: Never.self)
    let recorder = script.record(demand: .max(1)) { recorder in
      recorder.onSubscription = { seen.append("subscription, asked \($0.demanded), \($0.events.count)") }
      recorder.onValue = { seen.append("value \($1), \($0.events.count)") }
      recorder.onCompletion = { seen.append("\($1), \($0.events.count)") }
    }

    script.say(4)
    script.end()

    #expect(seen == ["subscription, asked max(0), 1", "value 4, 2", "finished, 3"])
    withExtendedLifetime(recorder) {}
  }

  @Test("A recorder can cancel or request from within `onValue`")
  func reentrancy() {
    let script = Script(Int.self, failure: Never.self)
    let recorder = script.record(demand: .max(1)) { recorder in
      recorder.onValue = { recorder, value in
        if value == 1 { recorder.request(.max(1)) } else { recorder.cancel() }
      }
    }

    script.say(1, 2)

    #expect(script.asks == [.request(.max(1)), .request(.max(1)), .cancel])
    #expect(recorder.values == [1, 2])
  }

  @Test("`Recorder.forget` releases the subscriptions without cancelling them")
  func forgets() {
    let script = Script(Int.self, failure: Never.self)
    let recorder = script.record()

    recorder.forget()
    recorder.cancel()

    #expect(recorder.subscriptions.isEmpty)
    #expect(script.cancellations == 0)
  }

  @Test("A recorder records all values that several threads deliver concurrently")
  func threads() async {
    let recorder = Recorder<Int, Never>()

    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          for value in 0..<500 { _ = recorder.receive(thread * 500 + value) }
        }
      }
    }

    #expect(recorder.values.sorted() == Array(0..<2000))
  }

  @Test("`Recorder.received` waits for values, and `ended` for the completion")
  func waits() async {
    let script = Script(Int.self, failure: Never.self)
    let recorder = script.record()

    async let two = recorder.received(2)
    async let end = recorder.ended()
    script.say(1, 2)
    let values = await two
    script.end()

    #expect(values == [1, 2])
    #expect(await end == .finished)
    #expect(await recorder.received(9) == [1, 2])
  }

  @Test("`Recorder.ended` returns when its task is cancelled")
  func cancelledWait() async {
    let recorder = Recorder<Int, Never>()
    let task = Task { await recorder.ended() }

    task.cancel()

    #expect(await task.value == nil)
  }
}
