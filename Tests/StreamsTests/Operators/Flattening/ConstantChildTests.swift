import Streams
import StreamsTesting
import Testing

/// What downstream does while it has the value of a child that was never subscribed to: the same as with any other.
@Suite("Children with a single value", .leavesNothing)
struct ConstantChildTests {
  @Test(
    "A stream that finishes inside a single-value child's delivery completes after that delivery",
    arguments: Way.allCases)
  func finishing(_ way: Way) {
    let stage = Stage(way)

    stage.onValue = { stage, _ in stage.outer.send(completion: .finished) }
    stage.outer.send(.constant(1))

    #expect(stage.lines == ["value 1", "taken 1", "finished"])
  }

  @Test("Cancelling inside a single-value child's delivery stops the stream", arguments: Way.allCases)
  func cancelling(_ way: Way) {
    let stage = Stage(way)

    stage.onValue = { stage, _ in stage.cancel() }
    stage.outer.send(.constant(1))
    stage.outer.send(.constant(2))

    #expect(stage.lines == ["value 1", "left", "taken 1"])
  }

  @Test("A single-value child sent inside a delivery is delivered immediately", arguments: Way.allCases)
  func nesting(_ way: Way) {
    let stage = Stage(way)

    stage.onValue = { stage, value in
      if value < 3 { stage.outer.send(.constant(value + 1)) }
    }
    stage.outer.send(.constant(1))

    #expect(stage.lines == ["value 1", "value 2", "value 3", "taken 3", "taken 2", "taken 1"])
  }

  @Test(
    "A stream that failed inside a single-value child's delivery sends no further child",
    arguments: Way.allCases)
  func failing(_ way: Way) {
    let stage = Stage(way)

    stage.onValue = { stage, _ in stage.outer.send(completion: .failure(.scripted)) }
    stage.outer.send(.constant(1))
    stage.outer.send(.constant(2))

    #expect(stage.lines == ["value 1", "failed", "taken 1"])
  }

  @Test("A single-value child in `flatMap` leaves the other children running")
  func beside() {
    let stage = Stage(.flatMap)
    let (other, fulfil) = Child.pending()

    stage.outer.send(other)
    stage.outer.send(.constant(1))
    stage.outer.send(completion: .finished)
    let before = stage.lines
    fulfil(.success(2))

    #expect(before == ["value 1", "taken 1"])
    #expect(stage.lines == ["value 1", "taken 1", "value 2", "taken 2", "finished"])
  }

  @Test("A single-value child in `switchToLatest` replaces the previous child")
  func instead() {
    let stage = Stage(.switchToLatest)
    let (other, fulfil) = Child.pending()

    stage.outer.send(other)
    stage.outer.send(.constant(1))
    fulfil(.success(2))
    stage.outer.send(completion: .finished)

    #expect(stage.lines == ["value 1", "taken 1", "finished"])
  }

  @Test("`flatMap` with a limit requests another child for each single-value child")
  func asking() {
    let outer = Script(Int.self, failure: Never.self)
    let recorder = outer.flatMap(maxPublishers: .max(2)) { Just($0) }.record()

    outer.say(1, 2, 3)

    #expect(recorder.values == [1, 2, 3])
    #expect(outer.asks == [.request(.max(2))] + Array(repeating: .request(.max(1)), count: 3))
  }

  @Test("Single-value children are delivered within demand", arguments: Way.allCases)
  func demand(_ way: Way) {
    let outer = PassthroughSubject<Child, TestFailure>()
    let recorder = way.flattened(outer.eraseToAnyPublisher()).record(demand: .max(1))

    outer.send(.constant(1))
    outer.send(.constant(2))
    let before = recorder.values
    recorder.request(.unlimited)
    outer.send(.constant(3))

    #expect(before == [1])
    #expect(recorder.values == [1, 2, 3])
  }
}

extension ConstantChildTests {
  enum Way: CaseIterable {
    case flatMap, switchToLatest

    func flattened(_ outer: AnyPublisher<Child, TestFailure>) -> AnyPublisher<Int, TestFailure> {
      switch self {
      case .flatMap: outer.flatMap { $0 }.eraseToAnyPublisher()
      case .switchToLatest: outer.switchToLatest().eraseToAnyPublisher()
      }
    }
  }

  /// Fulfilled when it is sent, or later.
  typealias Child = Future<Int, TestFailure>

  /// Writes down what comes, and when downstream is done with it.
  private final class Stage {
    let outer = PassthroughSubject<Child, TestFailure>()
    var onValue: (Stage, Int) -> Void = { _, _ in }
    private(set) var lines: [String] = []
    private var subscription: AnyCancellable?

    init(_ way: Way) {
      subscription = way.flattened(watching(outer)).sink { [unowned self] completion in
        lines.append(completion == .finished ? "finished" : "failed")
      } receiveValue: { [unowned self] value in
        lines.append("value \(value)")
        onValue(self, value)
        lines.append("taken \(value)")
      }
    }

    func cancel() { subscription = nil }

    /// Writes down when `publisher` is cancelled.
    func watching<Upstream: Publisher>(_ publisher: Upstream) -> AnyPublisher<
      Upstream.Output, Upstream.Failure
    > {
      publisher.handleEvents(receiveCancel: { [weak self] in self?.lines.append("left") })
        .eraseToAnyPublisher()
    }
  }
}

extension Future<Int, TestFailure> {
  fileprivate static func constant(_ value: Int) -> Future { Future { $0(.success(value)) } }

  fileprivate static func pending() -> (Future, Promise) {
    var promise: Promise?
    let future = Future { promise = $0 }
    return (future, promise!)
  }
}
