import Streams
import StreamsTesting
import Testing

private struct Broken: Error {}

/// The standard library's functions, as they are called in code that moves here: under `try?`, or in a `do`, where the
/// compiler (6.3) takes no typed error.
@Suite("`values`: searching and folding", .leavesNothing)
struct ValuesSearchingTests {
  private let numbers = [2, 3, 1].publisher.setFailureType(to: Broken.self)

  @Test("A search through `values` stops and cancels once the result is certain")
  func searching() async {
    let script = Script(Int.self, failure: Broken.self)
    script.onRequest = { session, _ in session.say(2) }

    let found = try? await script.values.first { $0 == 2 }
    let isThere = try? await script.values.contains { $0 > 1 }
    let isElement = try? await script.values.contains(2)
    let isLess = try? await script.values.allSatisfy { $0 < 2 }

    #expect(found == 2)
    #expect(isThere == true)
    #expect(isElement == true)
    #expect(isLess == false)
    #expect(script.sessions.map(\.subscription.cancellations) == [1, 1, 1, 1])
  }

  @Test("A fold over `values` consumes every value to the end")
  func folding() async throws {
    let values = numbers.values

    let (none, all) = (try await values.first { $0 > 3 }, try await values.allSatisfy { $0 > 0 })
    let (sum, list) = (
      try await values.reduce(0) { $0 + $1 }, try await values.reduce(into: []) { $0.append($1) }
    )
    let ends = [try await values.min(), try await values.max()]
    let swapped = [try await values.min { $0 > $1 }, try await values.max { $0 > $1 }]
    let isElement = try await values.contains(4)

    #expect(none == nil)
    #expect(all)
    #expect(sum == 6)
    #expect(list == [2, 3, 1])
    #expect(ends == [1, 3])
    #expect(swapped == [3, 1])
    #expect(!isElement)
  }

  @Test("A fold or search over `values` throws the publisher's failure or the closure's error")
  func failing() async {
    let failing = numbers.append(Fail(error: Broken()))

    await #expect(throws: Broken.self) { try await failing.values.reduce(0) { $0 + $1 } }
    await #expect(throws: CancellationError.self) {
      try await failing.values.first { _ in throw CancellationError() }
    }
  }
}
