import Streams
import StreamsTesting
import Testing

/// What the publisher of a sequence does at once. That it sends what the general operators send is tabled here where
/// `SpecialisedTwins` does not.
@Suite("Operators on `Publishers.Sequence`", .leavesNothing)
struct SequenceOperatorsTests {
  @Test(
    "An operator on a sequence's publisher sends the same signals as the general operator", arguments: twins,
    Asking.allCases)
  func agrees(_ twin: Twin, _ asking: Asking) {
    let differences = twin.differences(asking)

    #expect(differences.isEmpty)
  }

  private static let twins: [Twin] = [
    .specialised("append(sequence)", { $0.publisher.append(7...9) }, { $0.append(7...9) }),
    .specialised("prepend(elements)", { $0.publisher.prepend(7, 8) }, { $0.prepend(7, 8) }),
    .specialised("dropFirst(0)", { $0.publisher.dropFirst(0) }, { $0.dropFirst(0) }),
    .specialised("prefix(0)", { $0.publisher.prefix(0) }, { $0.prefix(0) }),
    .specialised("output(at:), too far", { $0.publisher.output(at: 9) }, { $0.output(at: 9) }),
    .specialised("output(in:), too far", { $0.publisher.output(in: 1..<9) }, { $0.output(in: 1..<9) }),
    .specialised("output(in:), beyond", { $0.publisher.output(in: 8..<9) }, { $0.output(in: 8..<9) }),
    .specialised("output(in:), empty", { $0.publisher.output(in: 1..<1) }, { $0.output(in: 1..<1) }),
    .specialised("count of a set", { Set($0).publisher.count() }, { $0.collect().map { Set($0).count } }),
  ]

  @Test("An operator on a sequence's publisher runs its closure immediately, once for all subscribers")
  func runsAtOnce() {
    var log: [Int] = []
    func note(_ value: Int) -> Int {
      log.append(value)
      return value
    }

    let publisher = [1, 2, 3].publisher.map(note)
    let before = log
    let (first, second) = (publisher.record(demand: .max(1)), publisher.record())

    #expect(before == [1, 2, 3])
    #expect(log == [1, 2, 3])
    #expect(first.values == [1])
    #expect(second.values == [1, 2, 3])
  }

  @Test("An erased sequence's publisher runs a closure once for each subscriber")
  func runsLate() {
    var log: [Int] = []
    func note(_ value: Int) -> Int {
      log.append(value)
      return value
    }

    let publisher = [1, 2, 3].publisher.eraseToAnyPublisher().map(note)
    let before = log
    _ = (publisher.record(demand: .max(1)), publisher.record())

    #expect(before.isEmpty)
    #expect(log == [1, 1, 2, 3])
  }

  @Test("An operator on an endless sequence's publisher reads only as far as needed")
  func endless() {
    let numbers = (0...).publisher

    #expect(numbers.prefix(3).record().values == [0, 1, 2])
    #expect(numbers.dropFirst(3).prefix(2).record().values == [3, 4])
    #expect(numbers.drop { $0 < 5 }.record(demand: .max(2)).values == [5, 6])
    #expect(numbers.prefix { $0 < 2 }.sequence == [0, 1])
    #expect(numbers.first { $0 > 8 }.output == 9)
    #expect(numbers.contains(7).record().values == [true])
    #expect(numbers.contains { $0 > 8 }.record().values == [true])
    #expect(numbers.allSatisfy { $0 < 8 }.record().values == [false])
    #expect(numbers.ignoreOutput().record().completions == [.finished])
    #expect(numbers.setFailureType(to: TestFailure.self).record(demand: .max(2)).values == [0, 1])
  }

  @Test("`dropFirst` and `prefix` on a lazy sequence's publisher read no elements early")
  func lazy() {
    var read = 0
    let numbers = (1...9).lazy.map { value in
      read += 1
      return value
    }

    _ = (numbers.publisher.dropFirst(2), numbers.publisher.prefix(2))
    let before = read
    _ = numbers.publisher.drop { $0 < 3 }

    #expect(before == 0)
    #expect(read == 3)
  }

  @Test("`replaceNil` on a sequence's publisher replaces nil, and keeps the optional type")
  func replacesNil() {
    let publisher: Publishers.Sequence<[Int?], Never> = [1, nil, 3].publisher.replaceNil(with: 7)

    #expect(publisher.sequence == [1, 7, 3])
  }

  @Test("`output` on a slice's publisher counts indices, not positions")
  func indices() {
    let slice = [0, 1, 2, 3, 4][2...]

    #expect(slice.publisher.output(at: 0).output == nil)
    #expect(slice.publisher.output(at: 2).output == 2)
    #expect(slice.publisher.output(in: 0..<4).sequence == [2, 3])
    #expect(slice.publisher.eraseToAnyPublisher().output(at: 0).record().values == [2])
    #expect("abc".publisher.output(at: "abc".startIndex).output == "a")
  }

  @Test("An operator on a sequence's publisher fails with its closure's error, without demand")
  func fails() {
    let failed = [1, 2].publisher.tryReduce(0) { _, _ in throw TestFailure.thrown }.record(demand: .none)
    let stopped = (0...).publisher.tryContains { value in
      try thrown(if: value == 3)
      return false
    }.record(demand: .none)

    #expect(failed.events.map { "\($0)" } == ["subscription", "failure thrown"])
    #expect(stopped.events.map { "\($0)" } == ["subscription", "failure thrown"])
  }

  @Test("An operator on a sequence's publisher traps on a negative count")
  func negative() async {
    await #expect(processExitsWith: .failure) { _ = [1].publisher.dropFirst(-1) }
    await #expect(processExitsWith: .failure) { _ = [1].publisher.prefix(-1) }
  }
}
