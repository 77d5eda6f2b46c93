import Streams
import StreamsExtras
import StreamsTesting
import Testing

/// In processes of their own: the tools see the streams of all tests.
@Suite("Snippets of the debugging tools", .leavesNothing)
struct DebuggingSnippetsTests {
  @Test("The snippets of the documentation do what the documentation says")
  func snippets() async throws {
    await #expect(processExitsWith: .success) {
      let (terms, ticks) = (PassthroughSubject<String, Never>(), PassthroughSubject<Int, Never>())
      let log = DebuggingSnippets.Log()
      let named = DebuggingSnippets.naming(terms) { Just($0 + "!") }.record()
      let storing = DebuggingSnippets.handlingDrops(ticks, log) { _ in }
      terms.send("a")
      ticks.send(1)
      terms.send(completion: .finished)
      precondition(named.values == ["a!"])
      precondition(log.lines.isEmpty)
      precondition(
        DebuggingSnippets.counting(ticks)
          == "1 open of 1 subscriptions, 0 values dropped: PassthroughSubject → Sink")
      withExtendedLifetime(storing) {}
    }
  }

  @Test("A trace records slices of other work between streams")
  func traces() async throws {
    await #expect(processExitsWith: .success) {
      let trace = DebuggingSnippets.tracing()
      let page = try await DebuggingSnippets.slices(trace) { "page" }
      precondition(page == "page")
      precondition(trace.leftOutCount == 0)
      precondition(!trace.isEnabled)
    }
  }
}
