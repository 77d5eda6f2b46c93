import Streams
import StreamsTesting
import Testing

/// What the publisher of an optional does at once. That it sends what the general operators send is tabled here where
/// `SpecialisedTwins` does not.
@Suite("Operators on `Optional.Publisher`", .leavesNothing)
struct OptionalOperatorsTests {
  @Test(
    "An operator on an optional's publisher sends the general operator's signals, even without a value",
    arguments: twins, Asking.allCases)
  func agrees(_ twin: Twin, _ asking: Asking) {
    let differences = ([[]] + (0...2).map { [$0] }).flatMap { twin.differences($0, asking) }

    #expect(differences.isEmpty)
  }

  @Test(
    "A folding operator on an optional's publisher sends the general operator's signals for a value",
    arguments: valueTwins, Asking.allCases)
  func agreesOnValues(_ twin: Twin, _ asking: Asking) {
    let differences = (0...2).flatMap { twin.differences([$0], asking) }

    #expect(differences.isEmpty)
  }

  private static let twins: [Twin] = [
    .specialised("scan", { $0.first.publisher.scan(5, -) }, { $0.scan(5, -) }),
    .specialised("min(by:)", { $0.first.publisher.min(by: >) }, { $0.min(by: >) }),
    .specialised("max", { $0.first.publisher.max() }, { $0.max() }),
    .specialised("max(by:)", { $0.first.publisher.max(by: >) }, { $0.max(by: >) }),
    .specialised("removeDuplicates(by:)", { $0.first.publisher.removeDuplicates(by: ==) }, { $0 }),
    .specialised("drop(while:)", { $0.first.publisher.drop { $0 < 1 } }, { $0.drop { $0 < 1 } }),
    .specialised("dropFirst", { $0.first.publisher.dropFirst() }, { $0.dropFirst() }),
    .specialised("prefix(0)", { $0.first.publisher.prefix(0) }, { $0.prefix(0) }),
    .specialised("prefix(1)", { $0.first.publisher.prefix(1) }, { $0.prefix(1) }),
    .specialised("first(where:)", { $0.first.publisher.first { $0 > 0 } }, { $0.first { $0 > 0 } }),
    .specialised("last", { $0.first.publisher.last() }, { $0.last() }),
    .specialised("output(at: 0)", { $0.first.publisher.output(at: 0) }, { $0.output(at: 0) }),
    .specialised("output(at: 1)", { $0.first.publisher.output(at: 1) }, { $0.output(at: 1) }),
    .specialised("output(in: 0..<0)", { $0.first.publisher.output(in: 0..<0) }, { $0.output(in: 0..<0) }),
    .specialised("output(in: 0...)", { $0.first.publisher.output(in: 0...) }, { $0.output(in: 0...) }),
    .specialised("replaceError", { $0.first.publisher.replaceError(with: 7) }, { $0.replaceError(with: 7) }),
    .specialised("retry", { $0.first.publisher.retry(3) }, { $0.retry(3) }),
  ]

  private static let valueTwins: [Twin] = [
    .specialised("count", { $0.first.publisher.count() }, { $0.count() }),
    .specialised("reduce", { $0.first.publisher.reduce(5, -) }, { $0.reduce(5, -) }),
    .specialised("allSatisfy", { $0.first.publisher.allSatisfy { $0 > 0 } }, { $0.allSatisfy { $0 > 0 } }),
    .specialised("contains", { $0.first.publisher.contains(1) }, { $0.contains(1) }),
    .specialised("contains(where:)", { $0.first.publisher.contains { $0 > 0 } }, { $0.contains { $0 > 0 } }),
  ]

  @Test("A folding operator on a nil optional's publisher has no result")
  func nothing() {
    let none = Int?.none.publisher

    #expect(none.count().output == nil)
    #expect(none.reduce(5, +).output == nil)
    #expect(none.allSatisfy { $0 > 0 }.output == nil)
    #expect(none.contains(1).output == nil)
    #expect(none.contains { $0 > 0 }.output == nil)
    #expect(none.eraseToAnyPublisher().count().record().values == [0])
    #expect(none.eraseToAnyPublisher().reduce(5, +).record().values == [5])
  }

  @Test("`collect` on a nil optional's publisher sends an empty array, and `replaceEmpty` its value")
  func something() {
    let none = Int?.none.publisher

    #expect(none.collect().output == [])
    #expect(none.replaceEmpty(with: 7) == Just(7))
    #expect(Optional(1).publisher.replaceEmpty(with: 7) == Just(1))
  }

  @Test("An operator on an optional's publisher runs its closure immediately, only for a value")
  func runsAtOnce() {
    var log: [Int] = []
    func note(_ value: Int) -> Bool {
      log.append(value)
      return true
    }

    let publisher = Optional(1).publisher.filter(note)
    _ = Int?.none.publisher.filter(note)
    let before = log
    let (first, second) = (publisher.record(), publisher.record())

    #expect(before == [1])
    #expect(log == [1])
    #expect(first.values == [1])
    #expect(second.values == [1])
  }

  @Test("An operator on an optional's publisher traps on a negative count")
  func negative() async {
    await #expect(processExitsWith: .failure) { _ = Optional(1).publisher.dropFirst(-1) }
    await #expect(processExitsWith: .failure) { _ = Optional(1).publisher.prefix(-1) }
    await #expect(processExitsWith: .failure) { _ = Optional(1).publisher.output(at: -1) }
    await #expect(processExitsWith: .failure) { _ = Optional(1).publisher.output(in: -1..<1) }
  }
}
