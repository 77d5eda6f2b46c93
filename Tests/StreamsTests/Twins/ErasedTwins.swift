import Streams
import StreamsTesting
import Testing

/// Erasing a publisher's type changes nothing that can be seen.
@Suite("Erased publishers", .leavesNothing, .atMostTenIssues)
struct ErasedTwins {
  @Test("An erased publisher sends the same signals as its original", arguments: twins, Asking.allCases)
  func twin(_ twin: Twin, _ asking: Asking) {
    let differences = twin.differences(asking)

    #expect(differences.isEmpty)
  }

  private static let twins: [Twin] = [
    .erased("Sequence", { $0.publisher }),
    .erased("map", { $0.publisher.map { $0 + 1 } }),
    .erased("tryMap that throws", { $0.publisher.tryMap { try thrown(if: $0 == 2) } }),
    .erased("prefix(while:)", { $0.publisher.eraseToAnyPublisher().prefix { $0 < 2 } }),
    .erased("append", { $0.publisher.append(7, 8) }),
    .erased("flatMap", { $0.publisher.flatMap(maxPublishers: .max(1)) { [$0, $0].publisher } }),
    .erased("scan", { $0.publisher.eraseToAnyPublisher().scan(0, +) }),
    .erased("reduce", { $0.publisher.eraseToAnyPublisher().reduce(0, +) }),
    .erased("first", { $0.publisher.eraseToAnyPublisher().first() }),
    .erased("collect(two)", { $0.publisher.collect(2) }),
    .erased("zip", { $0.publisher.zip($0.publisher, +) }),
    .erased("combineLatest", { $0.publisher.combineLatest($0.publisher, +) }),
    .erased("merge", { $0.publisher.merge(with: $0.publisher) }),
    .erased("switchToLatest", { $0.publisher.map { Just($0) }.switchToLatest() }),
    .erased("buffer", { $0.publisher.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest) }),
    .erased("replaceEmpty", { $0.publisher.replaceEmpty(with: 7) }),
    .erased("dropFirst", { $0.publisher.eraseToAnyPublisher().dropFirst() }),
    .erased("retry", { Record(output: $0, completion: .failure(TestFailure.scripted)).retry(1) }),
    .erased(
      "catch", { Record(output: $0, completion: .failure(TestFailure.scripted)).catch { _ in Just(7) } }),
    .erased("Fail", { _ in Fail<Int, TestFailure>(error: .scripted) }),
    .erased("share", { $0.publisher.share() }),
  ]

  @Test("An erased publisher sends the same requests upstream as its original")
  func asks() {
    let (plain, erased) = (Script(Int.self, failure: Never.self), Script(Int.self, failure: Never.self))
    let plainRecorder = plain.prefix { $0 < 2 }.record(demand: .max(2))
    let erasedRecorder = erased.prefix { $0 < 2 }.eraseToAnyPublisher().record(demand: .max(2))

    for value in [0, 1, 2] {
      plain.say(value)
      erased.say(value)
    }

    #expect(erased.asks == plain.asks)
    #expect(erasedRecorder.events == plainRecorder.events)
    #expect(erasedRecorder.subscriptions.map { "\($0)" } == plainRecorder.subscriptions.map { "\($0)" })
  }

  @Test("`AnyPublisher` of an `AnyPublisher` sends the same values")
  func rewrapping() {
    let erased = AnyPublisher([1, 2].publisher)

    let again = AnyPublisher(erased).eraseToAnyPublisher()

    #expect(again.record().values == [1, 2])
    #expect("\(again)" == "AnyPublisher")
  }
}
