import Streams
import StreamsTesting
import Testing

@Suite("A twin")
struct TwinTests {
  @Test("notices a value too many, a value too few, and another end", arguments: Asking.allCases)
  func notices(_ asking: Asking) {
    let twins: [Twin] = [
      .array("too many", { $0.append(7) }, { $0 }),
      .array("too few", { $0.dropFirst() }, { $0 }),
      .specialised("fails", { _ in Fail<Int, TestFailure>(error: .scripted) }, { $0.ignoreOutput() }),
      .trying("does not throw", { $0 }, { upstream, _ in upstream.tryMap { $0 } }),
    ]

    for twin in twins { #expect(!twin.differences(asking).isEmpty, "\(twin)") }
  }
}
