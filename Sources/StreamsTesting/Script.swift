public import Streams

/// An upstream under the test's hand: it says exactly what it is told, and remembers what it was asked.
///
/// It keeps no contract by itself. It can speak without demand, before it has handed over a subscription, and
/// after the end. Each subscriber has a ``Session`` of its own; the methods of the script itself mean the
/// latest.
public final class Script<Output, Failure: Error>: Publisher {
  private let content = Guarded<[Session]>([])

  /// The name under which it writes into the journal.
  public let name: String

  /// Where else to write what is asked.
  public let journal: Journal?

  /// Whether a subscriber is handed its subscription at once. If not, call ``Session/handOver(_:)``.
  public var handsOverAtOnce = true

  /// Whether a session holds its subscriber after the end, to speak out of turn. A real publisher does not.
  public var keepsSubscribers = true

  /// Called when a session is asked for values. Set it before subscribing.
  public var onRequest: ((Session, Subscribers.Demand) -> Void)?

  /// Called when a session is cancelled. Set it before subscribing.
  public var onCancel: ((Session) -> Void)?

  /// An upstream of these types, called `name` in `journal`.
  public init(
    _: Output.Type = Output.self, failure: Failure.Type = Failure.self, name: String = "upstream",
    journal: Journal? = nil
  ) {
    self.name = name
    self.journal = journal
    Belongings.current?.note(self)
  }

  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    journal?.note("\(name): subscribe")
    let session = Session(self, subscriber)
    content.withLock { $0.append(session) }
    if handsOverAtOnce { session.handOver(session.subscription) }
  }

  /// One session for each subscriber, in the order in which they came.
  public var sessions: [Session] { content.withLock { $0 } }

  /// The session of the latest subscriber.
  public var session: Session? { sessions.last }
}

// MARK: The latest session

extension Script {
  /// Sends `value`, whether asked or not.
  ///
  /// - Returns: The subscriber's answer; none if there is no subscriber.
  @discardableResult
  public func say(_ value: Output) -> Subscribers.Demand { session?.say(value) ?? .none }

  /// Sends `values`, whether asked or not.
  public func say(_ first: Output, _ second: Output, _ more: Output...) {
    for value in [first, second] + more { say(value) }
  }

  /// Sends a completion.
  public func end(_ completion: Subscribers.Completion<Failure> = .finished) { session?.end(completion) }

  /// Everything the latest session was asked, in order.
  public var asks: [SubscriptionRecorder.Ask] { session?.subscription.asks ?? [] }

  /// The demands made on the latest session.
  public var demands: [Subscribers.Demand] { session?.subscription.demands ?? [] }

  /// How often the latest session was cancelled.
  public var cancellations: Int { session?.subscription.cancellations ?? 0 }

  /// Makes every session let go of its subscriber.
  public func forget() { for session in sessions { session.forget() } }
}

extension Script: Belonging {
  func endWhatIsLeft() { forget() }
}

// What is mutable is guarded, except the settings: they are set before subscribing, and only read afterwards.
extension Script: @unchecked Sendable where Output: Sendable {}
