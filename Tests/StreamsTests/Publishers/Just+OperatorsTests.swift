import Streams
import StreamsTesting
import Testing

/// What `Just` does at once. That it sends what the general operators send is tabled here where `SpecialisedTwins`
/// does not.
@Suite("Operators on `Just`", .leavesNothing)
struct JustOperatorsTests {
  @Test(
    "An operator on `Just` sends the same signals as the general operator", arguments: twins, Asking.allCases)
  func agrees(_ twin: Twin, _ asking: Asking) {
    let differences = (0...2).flatMap { twin.differences([$0], asking) }

    #expect(differences.isEmpty)
  }

  private static let twins: [Twin] = [
    .specialised("mapError", { Just($0[0]).mapError(impossible) }, { $0 }),
    .specialised("setFailureType", { Just($0[0]).setFailureType(to: TestFailure.self) }, { $0 }),
    .specialised("tryScan", { Just($0[0]).tryScan(5, minus) }, { $0.tryScan(5, minus) }),
    .specialised("tryReduce", { Just($0[0]).tryReduce(5, minus) }, { $0.tryReduce(5, minus) }),
    .specialised("tryAllSatisfy", { Just($0[0]).tryAllSatisfy(isOne) }, { $0.tryAllSatisfy(isOne) }),
    .specialised("contains(where:)", { Just($0[0]).contains { $0 > 0 } }, { $0.contains { $0 > 0 } }),
    .specialised("tryContains", { Just($0[0]).tryContains(where: isOne) }, { $0.tryContains(where: isOne) }),
    .specialised("min(by:)", { Just($0[0]).min(by: >) }, { $0.min(by: >) }),
    .specialised("max", { Just($0[0]).max() }, { $0.max() }),
    .specialised("first", { Just($0[0]).first() }, { $0.first() }),
    .specialised("last", { Just($0[0]).last() }, { $0.last() }),
    .specialised("dropFirst(0)", { Just($0[0]).dropFirst(0) }, { $0.dropFirst(0) }),
    .specialised("output(in: 0..<1)", { Just($0[0]).output(in: 0..<1) }, { $0.output(in: 0..<1) }),
    .specialised("output(in: 1...)", { Just($0[0]).output(in: 1...) }, { $0.output(in: 1...) }),
    .specialised("output(in: ..<3)", { Just($0[0]).output(in: ..<3) }, { $0.output(in: ..<3) }),
    .specialised("removeDuplicates(by:)", { Just($0[0]).removeDuplicates(by: ==) }, { $0 }),
    .specialised(
      "tryRemoveDuplicates", { Just($0[0]).tryRemoveDuplicates(by: ==) }, { $0.tryRemoveDuplicates(by: ==) }),
    .specialised("replaceError", { Just($0[0]).replaceError(with: 7) }, { $0.replaceError(with: 7) }),
    .specialised("retry", { Just($0[0]).retry(3) }, { $0.retry(3) }),
    .specialised("append(sequence)", { Just($0[0]).append(7...9) }, { $0.append(7...9) }),
    .specialised("prepend(sequence)", { Just($0[0]).prepend(7...9) }, { $0.prepend(7...9) }),
  ]

  private static func impossible(_: Never) -> TestFailure {}

  private static func minus(_ left: Int, _ right: Int) throws -> Int {
    try thrown(if: right == 2)
    return left - right
  }

  private static func isOne(_ value: Int) throws -> Bool { try minus(0, value) == -1 }

  @Test("An operator on `Just` runs its closure immediately, once for all subscribers")
  func runsAtOnce() {
    var log: [Int] = []

    let publisher = Just(1).map { value in
      log.append(value)
      return value + log.count
    }
    let before = log
    let (first, second) = (publisher.record(), publisher.record())

    #expect(before == [1])
    #expect(log == [1])
    #expect(first.values == [2])
    #expect(second.values == [2])
  }

  @Test("An erased or deferred `Just` runs a closure once for each subscriber")
  func runsLate() {
    var runs = 0
    func count(_ value: Int) -> Int {
      runs += 1
      return value
    }

    let erased = Just(1).eraseToAnyPublisher().map(count)
    let deferred = Deferred { Just(1).map(count) }
    let before = runs
    _ = (erased.record(), erased.record(), deferred.record(), deferred.record())

    #expect(before == 0)
    #expect(runs == 4)
  }

  @Test("An operator on `Just` compares its value only if the closure may throw")
  func comparesNothing() {
    var pairs: [[Int]] = []
    func compare(_ left: Int, _ right: Int) -> Bool {
      pairs.append([left, right])
      return false
    }
    _ = (Just(1).min(by: compare), Just(1).max(by: compare), Just(1).removeDuplicates(by: compare))
    let before = pairs

    let kept = Just(1).tryRemoveDuplicates(by: compare).record()
    let failed = Just(1).tryRemoveDuplicates { _, _ in throw TestFailure.thrown }.record(demand: .none)

    #expect(before.isEmpty)
    #expect(pairs == [[1, 1]])
    #expect(kept.values == [1])
    #expect(failed.events.map { "\($0)" } == ["subscription", "failure thrown"])
  }

  @Test("`Just.output(in:)` is empty for a range without its index, and never traps")
  func ranges() {
    #expect(Just(1).output(in: 0..<0).output == nil)
    #expect(Just(1).output(in: 1..<5).output == nil)
    #expect(Just(1).output(in: ...Int.max).output == 1)
    #expect(Just(1).output(in: -3...(-1)).output == nil)
    #expect(Just(1).output(in: -3..<3).output == nil)
    #expect(Just(1).output(in: (-3)...).output == nil)
    #expect(Just(1).output(in: ..<1).output == 1)
  }

  @Test("An operator on `Just` traps on a negative count")
  func negative() async {
    await #expect(processExitsWith: .failure) { _ = Just(1).dropFirst(-1) }
    await #expect(processExitsWith: .failure) { _ = Just(1).prefix(-1) }
    await #expect(processExitsWith: .failure) { _ = Just(1).output(at: -1) }
  }
}
