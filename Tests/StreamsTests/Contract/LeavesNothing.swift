import StreamsTesting
import Testing

/// After each test, ends the streams that it has left: the leak sanitizer looks at what tests leave behind.
struct LeavesNothing: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for _: Test, testCase _: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    try await Lifetimes.endingWhatIsLeft { try await body() }
  }
}

extension Testing.Trait where Self == LeavesNothing {
  static var leavesNothing: LeavesNothing { LeavesNothing() }
}
