/// A publisher that replays recorded values and a completion.
///
/// Each subscriber receives all values, as it requests them, followed by the completion. Without values, the stream
/// ends immediately. A request for no values has no effect.
public struct Record<Output, Failure: Error>: Publisher {
  /// The recorded values and completion.
  public let recording: Recording

  /// Creates a publisher of what a closure records.
  ///
  /// - Parameter record: Called immediately, with an empty recording to fill.
  @inlinable
  public init(record: (inout Recording) -> Void) {
    var recording = Recording()
    record(&recording)
    self.init(recording: recording)
  }

  /// Creates a publisher that replays `recording`.
  @inlinable
  public init(recording: Recording) { self.recording = recording }

  /// Creates a publisher that replays values and a completion.
  @inlinable
  public init(output: [Output], completion: Subscribers.Completion<Failure>) {
    self.init(recording: Recording(output: output, completion: completion))
  }

  @inlinable
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    var values = recording.output.makeIterator()
    if let first = values.next() {
      let player = Player(ending: recording.completion, to: subscriber)
      let recording = recording
      subscriber.receive(
        subscription: IteratorSubscription(first, then: values, to: player) { isOver in
          let output = isOver ? [] : recording.output
          return SourceReflection(
            isOver ? "Cancelled Events" : "\(output)",
            [("sequence", output), ("completion", recording.completion)])
        })
    } else {
      ImmediateCompletion.send(recording.completion, to: subscriber)
    }
  }
}

extension Record: Codable where Output: Codable, Failure: Codable {}
extension Record: Sendable where Output: Sendable {}

extension Record {
  /// Recorded values, and a completion.
  public struct Recording {
    public typealias Input = Output

    /// The values.
    public private(set) var output: [Output]

    /// The completion. `finished`, unless another one is recorded.
    public private(set) var completion: Subscribers.Completion<Failure>

    private var hasEnded: Bool

    /// Creates an empty recording that accepts values.
    public init() {
      output = []
      completion = .finished
      hasEnded = false
    }

    /// Creates a complete recording, which accepts nothing more.
    public init(output: [Output], completion: Subscribers.Completion<Failure> = .finished) {
      self.output = output
      self.completion = completion
      hasEnded = true
    }

    /// Records a value. Traps if the recording is complete.
    public mutating func receive(_ input: Input) {
      guard !hasEnded else { Violation.recordedAfterEnd() }
      output.append(input)
    }

    /// Records the completion. Traps if the recording is complete.
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

  /// Decodes what ``encode(to:)`` encoded. The decoded recording is complete.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      output: try container.decode([Output].self, forKey: .output),
      completion: try container.decode(Subscribers.Completion<Failure>.self, forKey: .completion))
  }

  /// Encodes `output` and `completion`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(output, forKey: .output)
    try container.encode(completion, forKey: .completion)
  }

  /// Encodes the recording. The same as ``encode(to:)``.
  public func encode(into encoder: any Encoder) throws { try encode(to: encoder) }
}

/// Passes on all signals, with the recorded completion in place of the one that follows the values.
@frozen @usableFromInline
struct Player<Downstream: Subscriber>: StatelessSubscriber {
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

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) { downstream.receive(completion: ending) }
}
