import Streams
import StreamsTesting

/// Something that traps, and what is said then.
struct Mistake: Sendable {
  let name: String
  let words: String
  let make: @Sendable () -> Void

  static func named(_ name: String) -> Self? { all.first { $0.name == name } }

  static let all = counts + ranges + groups + demands

  private static var numbers: AnyPublisher<Int, Never> { Empty().eraseToAnyPublisher() }

  private static let counts = [
    Mistake("prefix(-1)", "the length of a prefix is -1.") { _ = numbers.prefix(-1) },
    Mistake("Just.prefix(-1)", "the length of a prefix is -1.") { _ = Just(1).prefix(-1) },
    Mistake("Sequence.prefix(-1)", "the length of a prefix is -1.") { _ = [1].publisher.prefix(-1) },
    Mistake("dropFirst(-2)", "the count of dropFirst is -2.") { _ = numbers.dropFirst(-2).record() },
    Mistake("Sequence.dropFirst(-2)", "the count of dropFirst is -2.") { _ = [1].publisher.dropFirst(-2) },
    Mistake("buffer of -1", "the size of a buffer is -1.") {
      _ = numbers.buffer(size: -1, prefetch: .keepFull, whenFull: .dropOldest)
    },
  ]

  private static let ranges = [
    Mistake("output(at: -1)", "the index of output is -1.") { _ = numbers.output(at: -1) },
    Mistake("output(at: .max)", "an output range includes Int.max.") { _ = numbers.output(at: .max) },
    Mistake("output(in: 0...(.max))", "an output range includes Int.max.") {
      _ = numbers.output(in: 0...Int.max)
    },
    Mistake("output(in: -1..<2)", "the lower bound of an output range is -1.") {
      _ = numbers.output(in: -1..<2)
    },
    Mistake("output(in: -1...)", "the lower bound of an output range is -1.") {
      _ = numbers.output(in: (-1)...)
    },
    Mistake("output(in: ..<(-1))", "the upper bound of an output range is -1.") {
      _ = numbers.output(in: ..<(-1))
    },
    Mistake("output(in: ...(-3))", "the upper bound of an output range is -2.") {
      _ = numbers.output(in: ...(-3))
    },
    Mistake("Optional.output(in: ..<(-1))", "the upper bound of an output range is -1.") {
      _ = Optional(1).publisher.output(in: ..<(-1))
    },
    Mistake("Output(range:)", "the lower bound of an output range is -1.") {
      _ = Publishers.Output(upstream: numbers, range: -1..<1)
    },
  ]

  private static let groups = [
    Mistake("collect(0)", "groups of 0.") { _ = numbers.collect(0) },
    Mistake("collect(-1)", "groups of -1.") { _ = numbers.collect(-1) },
    Mistake("collect(.byTimeOrCount(0))", "groups of 0.") {
      _ = numbers.collect(.byTimeOrCount(ImmediateScheduler.shared, 1, 0))
    },
    Mistake("collect(.byTimeOrCount(-1))", "groups of -1.") {
      _ = numbers.collect(.byTimeOrCount(ImmediateScheduler.shared, 1, -1))
    },
  ]

  private static let demands = [
    Mistake("max(-1)", "a demand of -1 values.") { _ = Subscribers.Demand.max(-1) },
    Mistake("max(1) - 2", "a demand of -1 values.") { _ = Subscribers.Demand.max(1) - 2 },
    Mistake("request(.none)", "CurrentValueSubject received a request for no values.") {
      CurrentValueSubject<Int, Never>(1).record(demand: .none).request(.none)
    },
  ]

  private init(_ name: String, _ words: String, _ make: @escaping @Sendable () -> Void) {
    self.name = name
    self.words = words
    self.make = make
  }
}
