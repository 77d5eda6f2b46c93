import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("Shaping operators", .leavesNothing)
struct ShapingTests {
  @Test("`pairwise` and `nwise` send each value with its predecessors", arguments: 0..<6)
  func windows(count: Int) {
    let values = Array(0..<count)

    let pairs = values.publisher.pairwise().record().values
    let triples = values.publisher.nwise(3).record().values

    #expect(pairs.map { [$0.0, $0.1] } == zip(values, values.dropFirst()).map { [$0, $1] })
    #expect(triples == values.indices.dropLast(2).map { Array(values[$0..<$0 + 3]) })
  }

  @Test("`nwise` traps on a window of less than two")
  func smallWindow() async {
    await #expect(processExitsWith: .failure) { _ = [1].publisher.nwise(1) }
  }

  @Test("`removeAllDuplicates` compares with all previous values, separately for each subscription")
  func allDuplicates() {
    let values = [1, 2, 1, 3, 2].publisher
    let hashed = values.removeAllDuplicates()

    #expect(hashed.record().values == [1, 2, 3])
    #expect(hashed.record().values == [1, 2, 3])
    #expect(values.removeAllDuplicates(by: { $0 % 2 == $1 % 2 }).record().values == [1, 2])
    #expect(
      ["aa", "b", "cc", "d"].publisher.removeDuplicates(at: \.count).record().values == [
        "aa", "b", "cc", "d",
      ])
    #expect(["aa", "bb", "c"].publisher.removeDuplicates(on: { $0.count }).record().values == ["aa", "c"])
  }

  @Test("`prefix(while:behavior:)` includes or excludes the last value, as configured")
  func inclusive() {
    let script = Script(Int.self, failure: Never.self)
    let recorder = script.prefix(while: { $0 < 3 }, behavior: .inclusive).record()

    script.say(1, 5, 2)

    #expect(recorder.events == [.subscription, .value(1), .value(5), .completion(.finished)])
    #expect(script.cancellations == 1)
    #expect([1, 5].publisher.prefix(while: { $0 < 3 }, behavior: .exclusive).record().values == [1])
  }

  @Test("`suffix` and `dropLast` agree with arrays", arguments: 0..<5)
  func ends(count: Int) {
    let values = [1, 2, 3]

    #expect(values.publisher.suffix(count).record().values == Array(values.suffix(count)))
    #expect(
      values.publisher.takeLast(count).record(demand: .max(1)).values == Array(values.suffix(count).prefix(1))
    )
    #expect(values.publisher.dropLast(count).record().values == Array(values.dropLast(count)))
  }

  @Test("`enumerated` numbers values, `scan(into:)` accumulates them, and `collect(until:)` groups them")
  func arrays() {
    let values = ["a", "b", "."]

    #expect(
      values.publisher.enumerated(initial: 1).map { "\($0.index)\($0.element)" }.record().values == [
        "1a", "2b", "3.",
      ])
    #expect(values.publisher.scan(into: "") { $0 += $1 }.record().values == ["a", "ab", "ab."])
    #expect((values + ["c"]).publisher.collect { $0 == "." }.record().values == [["a", "b", "."], ["c"]])
  }

  @Test("`mapToValue`, `mapMany`, `filterMany`, `toggle` and the other conversions transform each value")
  func conversions() {
    let lists = [[1, 2], [3]].publisher

    #expect([1, 2].publisher.mapToValue("x").record().values == ["x", "x"])
    #expect([1, 2].publisher.mapToVoid().record().values.count == 2)
    #expect(lists.mapMany { $0 * 2 }.record().values == [[2, 4], [6]])
    #expect(lists.filterMany { $0 > 1 }.record().values == [[2], [3]])
    #expect([true, false].publisher.toggle().record().values == [false, true])
    #expect([1].publisher.ignoreOutput(setOutputType: String.self).record().values == [])
    #expect(Empty<Never, Never>().setOutputType(to: Int.self).record().completions == [.finished])
  }

  @Test("`withUnretained` does not retain its object, and finishes when it is deallocated")
  func unretained() {
    let script = Script(Int.self, failure: Never.self)
    var object: Lifetime.Token? = Lifetime.Token()
    let recorder = object.map { script.withUnretained($0) { $1 }.record() }

    script.say(1)
    object = nil
    script.say(2)

    #expect(recorder?.events == [.subscription, .value(1), .completion(.finished)])
    #expect(script.cancellations == 1)
  }

  @Test("`partition` starts with its second subscriber, and separates matching values from the others")
  func partition() {
    let (even, odd) = (1...4).publisher.partition { $0 % 2 == 0 }
    let first = even.record()
    let before = first.events
    let second = odd.record()

    #expect(before == [.subscription])
    #expect(first.events == [.subscription, .value(2), .value(4), .completion(.finished)])
    #expect(second.values == [1, 3])
  }

  @Test("`partition` shares one upstream subscription, and cancels it with its last subscriber")
  func partitionShares() {
    let script = Script(Int.self, failure: Never.self)
    let (even, odd) = script.partition { $0 % 2 == 0 }
    let recorders = [even.record(), odd.record()]

    recorders[0].cancel()
    let kept = script.cancellations
    recorders[1].cancel()

    #expect(script.sessions.count == 1)
    #expect([kept, script.cancellations] == [0, 1])
  }

  @Test("Back-pressure operators buffer, drop or replace values, and `limitRate` limits demand")
  func backpressure() {
    let scripts = (0..<4).map { _ in Script(Int.self, failure: Never.self) }
    let recorders = [
      scripts[0].onBackpressureBuffer(2).record(demand: .max(1)),
      scripts[1].onBackpressureDrop().record(demand: .max(1)),
      scripts[2].onBackpressureLatest().record(demand: .max(1)),
      scripts[3].limitRate(2).record(),
    ]

    for script in scripts { script.say(1, 2, 3, 4) }
    for recorder in recorders { recorder.request(.unlimited) }

    #expect(scripts.map { $0.demands.first } == [.unlimited, .unlimited, .unlimited, .max(2)])
    #expect(recorders.map(\.values) == [[1, 3, 4], [1], [1, 4], [1, 2, 3, 4]])
  }

  @Test("`assign` does not retain a weak target, and assigns to two or three targets")
  func assigning() {
    let subject = PassthroughSubject<Int, Never>()
    var (one, two, three) = (Box(), Box(), Box())
    weak let gone = one
    let sinks = [
      subject.assign(to: \.value, on: one, ownership: .weak),
      subject.assign(to: \.value, on: two, and: \.value, on: three, ownership: .strong),
      subject.assign(
        to: \.value, on: two, and: \.value, on: three, and: \.other, on: three, ownership: .unowned),
    ]

    subject.send(5)
    let first = one.value
    one = Box()
    subject.send(6)

    #expect(first == 5)
    #expect(gone == nil)
    #expect([two.value, three.value, three.other] == [6, 6, 6])
    withExtendedLifetime((sinks, two)) {}
    (two, three) = (one, one)
  }
}

private final class Box {
  var value = 0
  var other = 0
}
