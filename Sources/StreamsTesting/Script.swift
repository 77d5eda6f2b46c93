public import Streams

/// An upstream that a test controls: it sends exactly what the test sends, and records requests and cancellations.
///
/// It does not enforce the contract. It can send without demand, before the subscription, and after the completion. Each
/// subscriber has a ``Session`` of its own. `say` and `end` of the script itself use the latest session.
public final class Script<Output, Failure: Error>: Publisher {
  private let content = Guarded<[Session]>([])

  /// Its name in the journal.
  public let name: String

  /// A journal that also records requests and cancellations.
  public let journal: Journal?

  /// Whether a subscriber receives its subscription at once. If not, call ``Session/handOver(_:)``.
  public var handsOverAtOnce = true

  /// Whether a session retains its subscriber after the completion or a cancellation, to send against the contract.
  public var keepsSubscribers = true

  /// Whether a new session takes the place of the one before.
  package var isForgetful = false

  /// Called when a session receives a request. Set it before subscribing.
  public var onRequest: ((Session, Subscribers.Demand) -> Void)?

  /// Called when a session is cancelled. Set it before subscribing.
  public var onCancel: ((Session) -> Void)?

  /// Creates an upstream of these types, called `name` in `journal`.
  public init(
    _: Output.Type = Output.self, failure: Failure.Type = Failure.self, name: String = "upstream",
    journal: Journal? = nil
  ) {
    (self.name, self.journal) = (name, journal)
    TestScope.current?.note(self)
  }

  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    journal?.note("\(name): subscribe")
    let session = Session(self, subscriber)
    let old = content.withLock { sessions -> [Session] in
      defer { sessions.append(session) }
      guard isForgetful else { return [] }
      defer { sessions = [] }
      return sessions
    }
    withExtendedLifetime(old) {}
    if handsOverAtOnce { session.handOver(session.subscription) }
  }

  /// One session for each subscriber, in the order of subscription.
  public var sessions: [Session] { content.withLock { $0 } }

  /// The session of the latest subscriber.
  public var session: Session? { sessions.last }
}

// MARK: The latest session

extension Script {
  /// Sends `value`, regardless of demand.
  ///
  /// - Returns: The demand that the subscriber returns; `.none` if there is no subscriber.
  @discardableResult
  public func say(_ value: Output) -> Subscribers.Demand { session?.say(value) ?? .none }

  /// Sends `values`, regardless of demand.
  public func say(_ first: Output, _ second: Output, _ more: Output...) {
    for value in [first, second] + more { say(value) }
  }

  /// Sends a completion.
  public func end(_ completion: Subscribers.Completion<Failure> = .finished) { session?.end(completion) }

  /// All requests and cancellations of the latest session, in order.
  public var asks: [SubscriptionRecorder.Ask] { session?.subscription.asks ?? [] }

  /// The demands of the latest session.
  public var demands: [Subscribers.Demand] { session?.subscription.demands ?? [] }

  /// How often the latest session was cancelled.
  public var cancellations: Int { session?.subscription.cancellations ?? 0 }

  /// Makes every session release its subscriber.
  public func forget() { for session in sessions { session.forget() } }
}

extension Script: ScopedPart {
  func endWhatIsLeft() { forget() }
}

// What is mutable is guarded, except the settings: they are set before subscribing, and only read afterwards.
extension Script: @unchecked Sendable where Output: Sendable {}
