import Streams
import StreamsTesting
import Testing

@Suite("`retry`", .leavesNothing)
struct RetryTests {
  @Test("`retry` subscribes again as often as given, then forwards the failure", arguments: 0...3)
  func attempts(_ retries: Int) {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.retry(retries).record()

    for attempt in 0...retries {
      script.say(attempt)
      script.end(.failure(Problem(code: attempt)))
    }

    #expect(script.sessions.count == retries + 1)
    #expect(recorder.values == Array(0...retries))
    #expect(recorder.completions == [.failure(Problem(code: retries))])
  }

  @Test("`retry` finishes with the first attempt that finishes")
  func finishes() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.retry(5).record()

    script.end(.failure(Problem(code: 1)))
    script.say(1)
    script.end()

    #expect(script.sessions.count == 2)
    #expect(recorder.events == [.subscription, .value(1), .completion(.finished)])
  }

  @Test("`retry` requests the remaining demand from the next attempt", arguments: 0...3)
  func demand(_ said: Int) {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.retry(1).record(demand: .max(3))

    for value in 0..<said { script.say(value) }
    script.end(.failure(Problem(code: 1)))
    let carried = script.demands
    recorder.request(.max(2))

    #expect(carried == (said < 3 ? [.max(3 - said)] : []))
    #expect(script.demands == carried + [.max(2)])
  }

  @Test("`retry` without a limit, or with a negative one, never stops retrying", arguments: [-1, nil])
  func endless(_ retries: Int?) {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = Publishers.Retry(upstream: script, retries: retries).record()

    for _ in 0..<100 { script.end(.failure(Problem(code: 1))) }

    #expect(script.sessions.count == 101)
    #expect(recorder.completions.isEmpty)
  }

  @Test("Cancelling `retry` cancels the current attempt and starts no other")
  func cancels() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.retry(5).record()

    script.end(.failure(Problem(code: 1)))
    recorder.cancel()
    script.end(.failure(Problem(code: 2)))

    #expect(script.sessions.map(\.subscription.cancellations) == [0, 1])
    #expect(recorder.events == [.subscription])
  }

  @Test("`retry` stops if downstream cancels inside a value")
  func cancelledByAValue() {
    let source = Record(output: [1, 2], completion: .failure(Problem(code: 1)))
    let recorder = source.retry(-1).record { recorder in
      recorder.onValue = { recorder, _ in
        if recorder.values.count == 5 { recorder.cancel() }
      }
    }

    #expect(recorder.values == [1, 2, 1, 2, 1])
    #expect(recorder.completions.isEmpty)
  }

  @Test("`retry` starts the next attempt after the delivery during which the current one failed")
  func failsInADelivery() {
    let failing = PassthroughSubject<Int, Problem>()
    var upstreams = [
      failing.eraseToAnyPublisher(), [2, 3].publisher.setFailureType(to: Problem.self).eraseToAnyPublisher(),
    ][...]
    var events: [String] = []
    let subscription = Deferred { upstreams.removeFirst() }.retry(1).sink { _ in
      events.append("end")
    } receiveValue: { value in
      events.append("\(value) arrives")
      if value == 1 { failing.send(completion: .failure(Problem(code: 1))) }
      events.append("\(value) is back")
    }

    failing.send(1)

    #expect(
      events == [
        "1 arrives", "1 is back", "2 arrives", "2 is back", "3 arrives", "3 is back", "end",
      ])
    subscription.cancel()
  }
}
