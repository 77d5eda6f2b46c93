import Streams
import StreamsTesting
import Testing

/// Erasing a publisher's type changes nothing that can be seen.
@Suite("An erased publisher")
struct ErasedTwins {
  @Test("sends what the publisher sends", arguments: Asking.allCases)
  func sends(_ asking: Asking) {
    for values in smallArrays() {
      check(asking, values.publisher)
      check(asking, values.publisher.map { $0 + 1 })
      check(asking, values.publisher.filter { $0 > 0 })
      check(asking, values.publisher.prefix { $0 < 2 })
      check(asking, values.publisher.append(7, 8))
      check(asking, values.publisher.flatMap(maxPublishers: .max(1)) { [$0, $0].publisher })
    }
  }

  @Test("fails as the publisher fails")
  func fails() {
    for asking in Asking.allCases {
      check(asking, Fail<Int, TestFailure>(error: .scripted))
      check(asking, Fail<Int, TestFailure>(error: .scripted).catch { _ in Just(3) })
    }
  }

  @Test("asks what the publisher asks, and has the same subscription")
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

  @Test("is not wrapped twice")
  func rewrapping() {
    let erased = AnyPublisher([1, 2].publisher)

    let again = AnyPublisher(erased).eraseToAnyPublisher()

    #expect(again.record().values == [1, 2])
    #expect("\(again)" == "AnyPublisher")
  }

  private func check<P: Publisher>(_ asking: Asking, _ publisher: P) {
    let (plain, erased) = (asking.record(publisher), asking.record(publisher.eraseToAnyPublisher()))

    #expect(erased.events.map { "\($0)" } == plain.events.map { "\($0)" })
  }
}
