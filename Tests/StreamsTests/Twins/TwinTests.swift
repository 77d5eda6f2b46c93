import Streams
import StreamsTesting
import Testing

@Suite("Comparison of twins")
struct TwinTests {
  @Test(
    "A comparison of twins reports a surplus value, a missing value and a different completion",
    arguments: Asking.allCases)
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
