import Foundation
import Streams
import StreamsTesting
import Testing

@Suite("`breakpoint`", .leavesNothing)
struct BreakpointTests {
  @Test("`breakpoint` forwards all signals, and tests each once, if its conditions are false")
  func passes() {
    var seen: [String] = []
    func sees(_ signal: Any) -> Bool {
      seen.append("\(signal)")
      return false
    }
    let recorder = [1, 2].publisher.setFailureType(to: Problem.self).breakpoint(
      receiveSubscription: { sees($0) }, receiveOutput: { sees($0) }, receiveCompletion: { sees($0) }
    ).record()

    #expect(seen == ["[1, 2]", "1", "2", "finished"])
    #expect(recorder.events == [.subscription, .value(1), .value(2), .completion(.finished)])
  }

  @Test("`breakpoint` stops the process if a condition is true")
  func stops() async {
    await #expect(processExitsWith: .failure) {
      _ = Just(1).breakpoint(receiveSubscription: { _ in true }).record(demand: .none)
    }
    await #expect(processExitsWith: .failure) { _ = Just(1).breakpoint(receiveOutput: { $0 == 1 }).record() }
    await #expect(processExitsWith: .failure) {
      _ = Just(1).breakpoint(receiveCompletion: { _ in true }).record()
    }
  }

  @Test("`breakpoint` stops the process even if a signal handler returns, as Swift's backtracer does")
  func backtracer() async {
    await #expect(processExitsWith: .failure) {
      signal(SIGTRAP) { _ in signal(SIGTRAP, SIG_DFL) }
      _ = Just(1).breakpoint(receiveOutput: { $0 == 1 }).record()
    }
  }

  @Test("`breakpoint` continues if the program handles the signal itself")
  func ownHandler() async {
    await #expect(processExitsWith: .exitCode(3)) {
      signal(SIGTRAP) { _ in }
      _ = Just(1).breakpoint(receiveOutput: { $0 == 1 }).record()
      exit(3)
    }
  }

  @Test("`breakpointOnError` stops the process only at a failure")
  func errors() async {
    await #expect(processExitsWith: .failure) {
      _ = Fail<Int, Problem>(error: Problem(code: 1)).breakpointOnError().record()
    }
    #expect(Just(1).setFailureType(to: Problem.self).breakpointOnError().record().completions == [.finished])
  }
}
