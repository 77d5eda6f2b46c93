/// A publisher that plays back what was recorded: the values, as they are asked for, then the end.
///
/// Each subscriber gets all of it. Without values, the end comes at once. Asking for no values does nothing.
public struct Record<Output, Failure: Error>: Publisher {
  /// What is played back.
  public let recording: Recording

  /// A publisher of what the closure puts into a recording.
  ///
  /// - Parameter record: Called here and now, with an empty recording to fill.
  @inlinable
  public init(record: (inout Recording) -> Void) {
    var recording = Recording()
    record(&recording)
    self.init(recording: recording)
  }

  /// A publisher of what `recording` has.
  @inlinable
  public init(recording: Recording) { self.recording = recording }

  /// A record of these values and this end.
  @inlinable
  public init(output: [Output], completion: Subscribers.Completion<Failure>) {
    self.init(recording: Recording(output: output, completion: completion))
  }

  @inlinable @_transparent
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    var values = recording.output.makeIterator()
    if let first = values.next() {
      let player = Player(ending: recording.completion, to: subscriber)
      let recording = recording
      subscriber.receive(
        subscription: Pump(first, then: values, to: player) { isOver in
          let output = isOver ? [] : recording.output
          return Portrait(
            isOver ? "Cancelled Events" : "\(output)",
            [("sequence", output), ("completion", recording.completion)])
        })
    } else {
      Farewell.say(recording.completion, to: subscriber)
    }
  }
}

extension Record: Codable where Output: Codable, Failure: Codable {}
extension Record: Sendable where Output: Sendable {}

extension Record {
  /// Values in order, and how they end.
  public struct Recording {
    public typealias Input = Output

    /// The values.
    public private(set) var output: [Output]

    /// The end: `finished` until another was recorded.
    public private(set) var completion: Subscribers.Completion<Failure>

    private var hasEnded: Bool

    /// An empty recording, open for more.
    public init() {
      output = []
      completion = .finished
      hasEnded = false
    }

    /// A recording that is complete: it takes nothing more.
    public init(output: [Output], completion: Subscribers.Completion<Failure> = .finished) {
      self.output = output
      self.completion = completion
      hasEnded = true
    }

    /// Adds a value. Traps if the recording is complete.
    public mutating func receive(_ input: Input) {
      guard !hasEnded else { Violation.recordedAfterEnd() }
      output.append(input)
    }

    /// Adds the end. Traps if the recording is complete.
    public mutating func receive(completion: Subscribers.Completion<Failure>) {
      guard !hasEnded else { Violation.recordedAfterEnd() }
      self.completion = completion
      hasEnded = true
    }
  }
}

extension Record.Recording: Sendable where Output: Sendable {}

extension Record.Recording: Codable where Output: Codable, Failure: Codable {
  private enum CodingKeys: String, CodingKey { case output, completion }

  /// Reads what ``encode(to:)`` wrote. What was read is complete: it takes nothing more.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      output: try container.decode([Output].self, forKey: .output),
      completion: try container.decode(Subscribers.Completion<Failure>.self, forKey: .completion))
  }

  /// Writes `output` and `completion`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(output, forKey: .output)
    try container.encode(completion, forKey: .completion)
  }

  /// The same, by its other name.
  public func encode(into encoder: any Encoder) throws { try encode(to: encoder) }
}

/// Passes everything on, with the recorded end in place of the one that says that all values were sent.
@frozen @usableFromInline
struct Player<Downstream: Subscriber>: Pass {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let ending: Subscribers.Completion<Failure>

  @inlinable
  init(ending: Subscribers.Completion<Failure>, to downstream: Downstream) {
    self.downstream = downstream
    self.ending = ending
  }

  @usableFromInline var description: String { "Record" }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(input) }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) { downstream.receive(completion: ending) }
}
