import Streams
import StreamsTesting
import Testing

@Suite("`catch`", .leavesNothing)
struct CatchTests {
  @Test("`catch` replaces a failure with the values of another publisher")
  func replaces() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.catch { Just($0.code) }.record()

    script.say(1)
    script.end(.failure(Problem(code: 7)))

    #expect(recorder.events == [.subscription, .value(1), .value(7), .completion(.finished)])
  }

  @Test("`catch` does not call its handler if upstream finishes")
  func passes() {
    let script = Script(Int.self, failure: Problem.self)
    var calls = 0
    let recorder = script.catch { _ -> Just<Int> in
      calls += 1
      return Just(0)
    }.record()

    script.say(1)
    script.end()

    #expect(calls == 0)
    #expect(recorder.events == [.subscription, .value(1), .completion(.finished)])
  }

  @Test("`catch` requests the remaining demand from the replacement", arguments: 0...4)
  func carriesDemandOver(_ demand: Int) {
    let (first, second) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Never.self))
    let recorder = first.catch { _ in second }.record(demand: .max(demand))

    for value in 0..<min(demand, 2) { first.say(value) }
    first.end(.failure(Problem(code: 1)))
    let carried = second.demands
    recorder.request(.max(3))

    #expect(carried == (demand > 2 ? [.max(demand - 2)] : []))
    #expect(second.demands == carried + [.max(3)])
  }

  @Test("`catch` forwards the failure of the replacement")
  func failsAgain() {
    let (first, second) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    let recorder = first.catch { _ in second }.record()

    first.end(.failure(Problem(code: 1)))
    second.end(.failure(Problem(code: 2)))
    first.end(.failure(Problem(code: 3)))

    #expect(recorder.events == [.subscription, .completion(.failure(Problem(code: 2)))])
    #expect(second.sessions.count == 1)
  }

  @Test("Cancelling `catch` cancels the active publisher")
  func cancels() {
    let (first, second) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Never.self))
    let early = first.catch { _ in second }.record()
    early.cancel()
    let late = first.catch { _ in second }.record()
    first.end(.failure(Problem(code: 1)))
    late.cancel()

    #expect(first.sessions.map(\.subscription.cancellations) == [1, 0])
    #expect(second.cancellations == 1)
  }

  @Test("`catch` does not continue if its handler cancels the stream")
  func cancelledByTheHandler() {
    let (first, second) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Never.self))
    let recorder = Recorder<Int, Never>()
    first.catch { [unowned recorder] _ in
      recorder.cancel()
      return second
    }.subscribe(recorder)

    first.end(.failure(Problem(code: 1)))
    second.say(1)
    second.end()

    #expect(recorder.events == [.subscription])
    #expect(second.asks.allSatisfy { $0 == .cancel })
  }

  @Test("`catch` drops upstream values beyond the demand")
  func surplus() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.catch { _ in Just(9) }.record(demand: .max(1))

    script.say(1, 2)

    #expect(recorder.values == [1])
  }

  @Test("`catch` replaces an immediate failure, and forwards a stream without one")
  func sources() {
    let failed = Fail<Int, Problem>(error: Problem(code: 1)).catch { _ in Just(0) }.record()
    let fine = Just(1).setFailureType(to: Problem.self).catch { _ in Just(0) }.record()

    #expect(failed.events == [.subscription, .value(0), .completion(.finished)])
    #expect(fine.events == [.subscription, .value(1), .completion(.finished)])
  }

  @Test("`catch` and `tryCatch` have Combine's names, and trap on zero demand")
  func names() async {
    let failing = Script(Int.self, failure: Problem.self)

    #expect("\(failing.catch { _ in Just(0) }.record().subscriptions[0])" == "Catch")
    #expect("\(failing.tryCatch { _ in Just(0) }.record().subscriptions[0])" == "TryCatch")
    await #expect(processExitsWith: .failure) {
      Script(Int.self, failure: Problem.self).catch { _ in Just(0) }.record(demand: .none).request(.none)
    }
    await #expect(processExitsWith: .failure) {
      Script(Int.self, failure: Problem.self).tryCatch { _ in Just(0) }.record(demand: .none).request(.none)
    }
  }
}

@Suite("`tryCatch`", .leavesNothing)
struct TryCatchTests {
  @Test("`tryCatch` fails with the error that its handler throws")
  func throwsErrors() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.tryCatch { _ -> Just<Int> in throw Problem(code: 5) }.record(demand: .none)

    script.end(.failure(Problem(code: 1)))

    #expect(recorder.failure == Problem(code: 5))
  }

  @Test("`tryCatch` forwards the failure of the replacement")
  func failsAgain() {
    let (first, second) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    let recorder = first.tryCatch { _ in second }.record(demand: .max(2))

    first.say(1)
    first.end(.failure(Problem(code: 1)))
    let demands = second.demands
    second.end(.failure(Problem(code: 2)))

    #expect(demands == [.max(1)])
    #expect(recorder.values == [1])
    #expect(recorder.failure == Problem(code: 2))
  }
}
