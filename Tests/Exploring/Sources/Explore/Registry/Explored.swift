import Streams

/// An operator, a source or a subject to be explored.
struct Explored {
  struct Traits: OptionSet {
    let rawValue: Int
    /// Has one upstream, however many subscribe.
    static let shares = Traits(rawValue: 1)
    /// Delivers exactly as many values as are asked for, if there are enough.
    static let countsDemand = Traits(rawValue: 2)
    /// Has several subscribers at a time.
    static let isForMany = Traits(rawValue: 4)
    /// Is connected by hand.
    static let connects = Traits(rawValue: 8)
    /// Subscribes on its scheduler.
    static let subscribesLater = Traits(rawValue: 16)
    /// Has no completion.
    static let neverEnds = Traits(rawValue: 32)
    /// Has its values from nobody.
    static let isSource = Traits(rawValue: 64)
    /// Only the first upstream's values come out.
    static let hasOneContributor = Traits(rawValue: 128)
    /// Delivers each value a second after it was sent, or later, unless the stream ends before.
    static let isDelayed = Traits(rawValue: 256)
    /// Asks each upstream for what it is asked for itself.
    static let asksAll = Traits(rawValue: 512)
    /// Asks all of them for what a value is answered with, too, and not only the one that it came from.
    static let answersAll = Traits(rawValue: 1024)
    /// Delivers on the sender's thread what it does not refuse.
    static let isTried = Traits(rawValue: 2048)
    /// Delivers values and completions on its scheduler.
    static let deliversInJobs = Traits(rawValue: 4096)
    /// Ends in a sink, which asks for everything itself.
    static let endsInSink = Traits(rawValue: 8192)
    /// Has a value for whoever subscribes and requests one.
    static let hasCurrent = Traits(rawValue: 16384)
    /// Answers a request inside it, on whatever thread that is.
    static let answersAtOnce = Traits(rawValue: 32768)
    /// Its first upstream ends, without a value, when it is asked for one.
    static let startsEmpty = Traits(rawValue: 65536)
  }

  /// What comes out, of what went in.
  enum Values {
    /// All of it, once.
    case all
    /// All of it, as often as it went in.
    case allInAnyOrder
    /// Some of it, in order, no value twice.
    case some
    /// Something else.
    case others
  }

  let name: String
  let inputs: Int
  let values: Values
  let traits: Traits
  /// How many fibers its scheduler works on.
  let workers: Int
  /// The inputs that say a value before a scenario begins.
  let prelude: [Int]
  /// What is to be seen at the end besides.
  let check: ((Stand) -> String?)?
  /// Builds it once; what comes back subscribes to it.
  let assemble: (Stand) -> (Probe) -> Void
}

extension Explored {
  init<Output: Publisher<Item, Fault>>(
    _ name: String, inputs: Int = 1, _ values: Values, _ traits: Traits = [], workers: Int = 0,
    prelude: [Int] = [], check: ((Stand) -> String?)? = nil, building: @escaping (Stand) -> Output
  ) {
    self.init(
      name: name, inputs: inputs, values: values, traits: traits, workers: workers, prelude: prelude,
      check: check
    ) { stand in
      let publisher = building(stand)
      return { publisher.subscribe($0) }
    }
  }

  /// With one upstream.
  init<Output: Publisher<Item, Fault>>(
    _ name: String, _ values: Values, _ traits: Traits = [], check: ((Stand) -> String?)? = nil,
    _ build: @escaping (Source) -> Output
  ) {
    self.init(name, values, traits, check: check, building: { build($0.source()) })
  }

  /// With two.
  init<Output: Publisher<Item, Fault>>(
    _ name: String, _ values: Values, _ traits: Traits = [], prelude: [Int] = [],
    check: ((Stand) -> String?)? = nil, _ build: @escaping (Source, Source) -> Output
  ) {
    self.init(
      name, inputs: 2, values, traits, prelude: prelude, check: check,
      building: { build($0.source(), $0.source()) })
  }

  /// With three.
  init<Output: Publisher<Item, Fault>>(
    _ name: String, _ values: Values, _ traits: Traits = [], check: ((Stand) -> String?)? = nil,
    _ build: @escaping (Source, Source, Source) -> Output
  ) {
    self.init(
      name, inputs: 3, values, traits, check: check,
      building: { build($0.source(), $0.source(), $0.source()) })
  }

  /// With one upstream, and a scheduler of so many workers.
  init<Output: Publisher<Item, Fault>>(
    _ name: String, _ values: Values, _ traits: Traits = [], workers: Int,
    _ build: @escaping (Source, Jobs) -> Output
  ) {
    self.init(
      name, values, traits, workers: workers, building: { build($0.source(), $0.scheduler()) })
  }
}
