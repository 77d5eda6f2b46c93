import Streams
import Testing

/// Of the issues of a suite that one line records, shows the first ten, and counts the others.
struct AtMostTenIssues: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    let counts = Counts()
    let limited = IssueHandlingTrait.compactMapIssues { issue in
      counts.add(issue.sourceLocation) <= 10 ? issue : nil
    }

    try await limited.provideScope(for: test, testCase: testCase, performing: body)

    for (location, count) in counts.beyondTen {
      Issue.record("and \(count) more issues of this line", sourceLocation: location)
    }
  }

  private final class Counts: Sendable {
    private let counts = Guarded<[SourceLocation?: Int]>([:])

    func add(_ location: SourceLocation?) -> Int {
      counts.withLock { counts in
        counts[location, default: 0] += 1
        return counts[location, default: 0]
      }
    }

    var beyondTen: [(SourceLocation, Int)] {
      counts.withLock { counts in
        counts.compactMap { location, count in
          guard let location, count > 10 else { return nil }
          return (location, count - 10)
        }
      }
    }
  }
}

extension Testing.Trait where Self == AtMostTenIssues {
  static var atMostTenIssues: AtMostTenIssues { AtMostTenIssues() }
}
