import Streams
import StreamsTesting
import Testing

/// What the publisher of a result does at once. That it sends what the general operators send is tabled here where
/// `SpecialisedTwins` does not.
@Suite("Operators on `Result.Publisher`", .leavesNothing)
struct ResultOperatorsTests {
  @Test(
    "An operator on a result's publisher sends the general operator's signals for a value", arguments: twins,
    Asking.allCases)
  func agrees(_ twin: Twin, _ asking: Asking) {
    let differences = (0...2).flatMap { twin.differences([$0], asking) }

    #expect(differences.isEmpty)
  }

  private static let twins: [Twin] = [
    .specialised("tryScan", { good($0).tryScan(5, minus) }, { $0.tryScan(5, minus) }),
    .specialised("tryReduce", { good($0).tryReduce(5, minus) }, { $0.tryReduce(5, minus) }),
    .specialised("tryAllSatisfy", { good($0).tryAllSatisfy(isOne) }, { $0.tryAllSatisfy(isOne) }),
    .specialised("contains(where:)", { good($0).contains { $0 > 0 } }, { $0.contains { $0 > 0 } }),
    .specialised("tryContains", { good($0).tryContains(where: isOne) }, { $0.tryContains(where: isOne) }),
    .specialised("min", { good($0).min() }, { $0.min() }),
    .specialised("max", { good($0).max() }, { $0.max() }),
    .specialised("min(by:)", { good($0).min(by: >) }, { $0.min(by: >) }),
    .specialised("max(by:)", { good($0).max(by: >) }, { $0.max(by: >) }),
    .specialised("tryMin", { good($0).tryMin(by: >) }, { $0.tryMin(by: >) }),
    .specialised("tryMax", { good($0).tryMax(by: >) }, { $0.tryMax(by: >) }),
    .specialised("ignoreOutput", { good($0).ignoreOutput() }, { $0.ignoreOutput() }),
    .specialised("mapError", { good($0).mapError { _ in TestFailure.other } }, { $0 }),
    .specialised("removeDuplicates", { good($0).removeDuplicates() }, { $0 }),
    .specialised("removeDuplicates(by:)", { good($0).removeDuplicates(by: ==) }, { $0 }),
    .specialised("tryRemoveDuplicates", { good($0).tryRemoveDuplicates(by: ==) }, { $0 }),
    .specialised("replaceError", { good($0).replaceError(with: 7) }, { $0.replaceError(with: 7) }),
    .specialised("replaceEmpty", { good($0).replaceEmpty(with: 7) }, { $0.replaceEmpty(with: 7) }),
    .specialised("retry", { good($0).retry(3) }, { $0.retry(3) }),
    .specialised(
      "setFailureType", { Result<Int, Never>.Publisher($0[0]).setFailureType(to: TestFailure.self) }, { $0 }),
  ]

  private static func good(_ values: [Int]) -> Result<Int, TestFailure>.Publisher {
    Result.Publisher(.success(values[0]))
  }

  private static func minus(_ left: Int, _ right: Int) throws -> Int {
    try thrown(if: right == 2)
    return left - right
  }

  private static func isOne(_ value: Int) throws -> Bool { try minus(0, value) == -1 }

  @Test("An operator on a result's publisher forwards a failure without calling its closure")
  func failures() {
    let bad = Result<Int, TestFailure>.failure(.scripted).publisher
    func never<Left, Right>(_ left: Left, _ right: Right) -> Bool {
      Issue.record("called with \(left) and \(right)")
      return true
    }
    func never(_ value: Int) -> Bool { never(value, value) }
    func sum(_ left: Int, _ right: Int) -> Int { never(left, right) ? left : right }

    let ends = [
      end(bad.map(never)), end(bad.tryMap(never)), end(bad.scan(0, sum)), end(bad.tryScan(0, sum)),
      end(bad.collect()), end(bad.count()), end(bad.reduce(0, sum)), end(bad.tryReduce(0, sum)),
      end(bad.min()), end(bad.max()), end(bad.min(by: never)), end(bad.max(by: never)),
      end(bad.tryMin(by: never)), end(bad.tryMax(by: never)), end(bad.allSatisfy(never)),
      end(bad.tryAllSatisfy(never)), end(bad.contains(1)), end(bad.contains(where: never)),
      end(bad.tryContains(where: never)), end(bad.first()), end(bad.last()), end(bad.removeDuplicates()),
      end(bad.removeDuplicates(by: never)), end(bad.tryRemoveDuplicates(by: never)),
      end(bad.replaceEmpty(with: 7)), end(bad.retry(3)),
    ]

    #expect(ends.count == 26)
    #expect(Set(ends) == ["failure scripted"])
  }

  @Test("`mapError`, `replaceError` and `ignoreOutput` on a result's publisher handle its failure")
  func handlesFailures() {
    let bad = Result<Int, TestFailure>.failure(.scripted).publisher

    #expect(bad.mapError { _ in TestFailure.other } == Result.Publisher(.failure(.other)))
    #expect(bad.replaceError(with: 7) == Result<Int, Never>.Publisher(7))
    #expect(end(bad.ignoreOutput()) == "finished")
    #expect(end(bad.eraseToAnyPublisher().ignoreOutput()) == "failure scripted")
  }

  @Test("An operator on a result's publisher runs its closure immediately, once for all subscribers")
  func runsAtOnce() {
    var log: [Int] = []

    let publisher = Result<Int, TestFailure>.Publisher(1).tryMap { value in
      log.append(value)
      try thrown(if: true)
      return value
    }
    let before = log
    let (first, second) = (publisher.record(demand: .none), publisher.record(demand: .none))

    #expect(before == [1])
    #expect(log == [1])
    #expect(first.events.map { "\($0)" } == ["subscription", "failure thrown"])
    #expect(second.events.map { "\($0)" } == ["subscription", "failure thrown"])
  }

  @Test("An operator on a result's publisher compares its value only if the closure may throw")
  func compares() {
    var pairs: [[Int]] = []
    func compare(_ left: Int, _ right: Int) -> Bool {
      pairs.append([left, right])
      return false
    }
    let good = Result<Int, TestFailure>.Publisher(1)
    _ = (good.min(by: compare), good.max(by: compare), good.removeDuplicates(by: compare))
    let before = pairs

    _ = (good.tryMin(by: compare), good.tryMax(by: compare), good.tryRemoveDuplicates(by: compare))

    #expect(before.isEmpty)
    #expect(pairs == [[1, 1], [1, 1], [1, 1]])
    #expect(end(good.tryMin { _, _ in throw TestFailure.thrown }) == "failure thrown")
  }

  /// How a publisher ends without being asked, as text.
  private func end<P: Publisher>(_ publisher: P) -> String {
    publisher.record(demand: .none).events.last.map { "\($0)" } ?? ""
  }
}
