import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("Typed `try` operators", .leavesNothing)
struct ThrowingTests {
  typealias Stream<Output> = AnyPublisher<Output, Problem>

  private static func check(_ value: Int) throws(Problem) -> Bool {
    if value == 3 { throw Problem(code: 3) }
    return value < 5
  }

  private static let failure: Subscribers.Completion<Problem> = .failure(Problem(code: 3))

  @Test("A typed `try` operator on an upstream that never fails has the closure's failure type")
  func upstreamOfNever() {
    let numbers = [1, 2, 3].publisher

    let mapped: Stream<Int> = numbers.tryMap { (value) throws(Problem) in
      try Self.check(value) ? value * 10 : 0
    }.eraseToAnyPublisher()
    let compact: Stream<Int> = numbers.tryCompactMap { (value) throws(Problem) in
      try Self.check(value) ? value : nil
    }.eraseToAnyPublisher()
    let filtered: Stream<Int> = numbers.tryFilter(Self.check).eraseToAnyPublisher()
    let scanned: Stream<Int> = numbers.tryScan(0) { (sum, value) throws(Problem) in
      try Self.check(value) ? sum + value : sum
    }.eraseToAnyPublisher()
    let dropped: Stream<Int> = numbers.tryDrop(while: Self.check).eraseToAnyPublisher()
    let first: Stream<Int> = numbers.tryPrefix(while: Self.check).eraseToAnyPublisher()
    let distinct: Stream<Int> = numbers.tryRemoveDuplicates { (_, value) throws(Problem) in
      try !Self.check(value)
    }.eraseToAnyPublisher()

    #expect(mapped.record().events == [.subscription, .value(10), .value(20), .completion(Self.failure)])
    #expect(
      [compact, filtered, first, distinct].map { $0.record().values } == Array(repeating: [1, 2], count: 4))
    #expect(scanned.record().values == [1, 3])
    #expect(dropped.record().values == [])
    for stream in [compact, filtered, scanned, dropped, first, distinct] {
      #expect(stream.record().completions == [Self.failure])
    }
  }

  @Test("A typed `try` operator with a single result fails with the error of its closure")
  func answers() {
    let numbers = [1, 2, 3].publisher.prepend([])

    let reduced: Stream<Int> = numbers.tryReduce(0) { (sum, value) throws(Problem) in
      try Self.check(value) ? sum + value : sum
    }.eraseToAnyPublisher()
    let contains: Stream<Bool> = numbers.tryContains { (value) throws(Problem) in
      try !Self.check(value)
    }.eraseToAnyPublisher()
    let all: Stream<Bool> = numbers.tryAllSatisfy(Self.check).eraseToAnyPublisher()
    let first: Stream<Int> = numbers.tryFirst { (value) throws(Problem) in
      try !Self.check(value)
    }.eraseToAnyPublisher()
    let last: Stream<Int> = numbers.tryLast(where: Self.check).eraseToAnyPublisher()
    let least: Stream<Int> = numbers.tryMin { (a, b) throws(Problem) in
      _ = try (Self.check(a), Self.check(b))
      return a < b
    }.eraseToAnyPublisher()
    let greatest: Stream<Int> = numbers.tryMax { (a, b) throws(Problem) in
      _ = try (Self.check(a), Self.check(b))
      return a < b
    }.eraseToAnyPublisher()

    for stream in [reduced, first, last, least, greatest] {
      #expect(stream.record().events == [.subscription, .completion(Self.failure)])
    }
    #expect([contains, all].map { $0.record().completions } == [[Self.failure], [Self.failure]])
  }

  @Test("A typed `try` operator forwards an upstream failure of the same type")
  func upstreamOfTheSame() {
    let failing = Fail<Int, Problem>(error: Problem(code: 1)).prepend(1)

    let mapped: Stream<String> = failing.tryMap { (value) throws(Problem) in
      try Self.check(value) ? "yes" : "no"
    }.eraseToAnyPublisher()
    let sum: Stream<Int> = failing.tryReduce(0) { (sum, value) throws(Problem) in
      try Self.check(value) ? sum + value : sum
    }.eraseToAnyPublisher()

    #expect(mapped.record().values == ["yes"])
    #expect(mapped.record().completions == [.failure(Problem(code: 1))])
    #expect(sum.record().completions == [.failure(Problem(code: 1))])
  }

  @Test("Typed `tryCatch` fails with its handler's error, or with the replacement's failure")
  func catches() {
    let failing = Fail<Int, URLProblem>(error: URLProblem())

    let thrown: Stream<Int> = failing.tryCatch { (_) throws(Problem) -> Just<Int> in throw Problem(code: 3) }
      .eraseToAnyPublisher()
    let taken: Stream<Int> = failing.tryCatch { (_) throws(Problem) -> Just<Int> in Just(1) }
      .eraseToAnyPublisher()
    let failed: Stream<Int> = failing.tryCatch { (_) throws(Problem) -> Fail<Int, Problem> in
      Fail(error: Problem(code: 4))
    }.eraseToAnyPublisher()

    #expect(thrown.record().completions == [Self.failure])
    #expect(taken.record().values == [1])
    #expect(failed.record().completions == [.failure(Problem(code: 4))])
  }

  @Test("A typed `try` operator is chosen where the type of the publisher is declared")
  func writtenDown() {
    let texts = ["1", "two"].publisher

    let numbers: AnyPublisher<Int, ParsingError> = texts.tryMap { text throws(ParsingError) in
      guard let number = Int(text) else { throw ParsingError() }
      return number
    }.eraseToAnyPublisher()

    #expect(numbers.record().events == [.subscription, .value(1), .completion(.failure(ParsingError()))])
  }

  /// What the compiler chooses where nothing names the type, so that the guides do not promise more.
  @Test("A `try` operator is Combine's unless the context requires a typed failure")
  func plain() {
    let numbers = PassthroughSubject<Int, Never>()
    let declared = numbers.tryMap { (value) throws(Problem) in try Self.check(value) }
    let reference = numbers.tryFilter(Self.check)
    let single = Just(1).tryMap { (value) throws(Problem) in try Self.check(value) }
    let untyped = numbers.tryMap { try Self.check($0) }
    let harmless = numbers.tryFilter { $0 > 0 }

    #expect(failsWithAnyError(declared))
    #expect(failsWithAnyError(reference))
    #expect(failsWithAnyError(single))
    #expect(type(of: declared) == type(of: untyped))
    #expect("\(type(of: untyped))".hasPrefix("TryMap<"))
    #expect("\(type(of: harmless))".hasPrefix("TryFilter<"))
  }

  private func failsWithAnyError<Stream: Publisher>(_: Stream) -> Bool {
    Stream.Failure.self == (any Error).self
  }

  private struct URLProblem: Error {}
  private struct ParsingError: Error, Equatable {}
}
