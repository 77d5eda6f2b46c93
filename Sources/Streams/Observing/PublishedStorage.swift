/// The value of a ``Published`` property, and its subscribers.
@usableFromInline
final class PublishedStorage<Value>: Sendable {
  @usableFromInline
  struct State {
    @usableFromInline var value: Value
    /// How many values were set, and which of them `value` is: the last one set wins, as it is the last one sent.
    @usableFromInline var sets = 0
    @usableFromInline var stored = 0
    @usableFromInline var subscribers: SubscriberList<Value, Never>?
    /// Sends before anything else, if the object is observable.
    @usableFromInline var willChange: ObservableObjectPublisher?
    @usableFromInline var assignments: [Subscribers.Sink<Value, Never>] = []

    @inlinable
    init(_ value: Value) { self.value = value }

    /// Reserves the position of `value` in the order of deliveries. Without subscribers, stores it.
    @inlinable
    mutating func begin(with value: Value) -> Step {
      guard let subscribers else { return .replaced(replace(with: value)) }
      sets += 1
      return .publish((sets, subscribers, subscribers.reservePosition(for: value)))
    }

    @inlinable
    mutating func replace(with value: Value) -> Value {
      defer { self.value = value }
      return self.value
    }
  }

  @usableFromInline let state: Guarded<State>

  @inlinable
  init(_ value: Value) { state = Guarded(State(value)) }

  deinit {
    let (subscribers, assignments) = state.withLock { ($0.subscribers, $0.assignments) }
    subscribers?.abandon()
    for assignment in assignments { assignment.cancel() }
  }

  @inlinable
  var value: Value { state.withLock { $0.value } }

  @usableFromInline
  typealias Publication = (
    number: Int, subscribers: SubscriberList<Value, Never>, place: SubscriberList<Value, Never>.Position
  )

  /// The next step of setting a value.
  @usableFromInline
  enum Step {
    case announce(ObservableObjectPublisher)
    case publish(Publication)
    case replaced(Value)
  }

  /// Announces, publishes, then stores.
  @inlinable
  func set(_ value: Value) {
    var step = state.withLock { state -> Step in
      if let willChange = state.willChange { return .announce(willChange) }
      return state.begin(with: value)
    }
    if case .announce(let willChange) = step {
      willChange.send()
      step = state.withLock { $0.begin(with: value) }
    }
    // What was replaced is released here: its deinit must not run under the lock.
    if case .publish(let publication) = step { publish(value, publication) }
  }

  @inlinable
  func publish(_ value: Value, _ publication: Publication) {
    publication.subscribers.finishDelivery(publication.place, value)
    let old = state.withLock { state -> Value? in
      guard publication.number > state.stored else { return nil }
      state.stored = publication.number
      return state.replace(with: value)
    }
    withExtendedLifetime(old) {}
  }

  /// Returns the list of subscribers. It is created for the first one, so a property without subscribers has no list.
  @usableFromInline
  func openAudience() -> SubscriberList<Value, Never> {
    state.withLock { state in
      if let subscribers = state.subscribers { return subscribers }
      let subscribers = SubscriberList<Value, Never>("PublishedSubject", replaying: state.value)
      state.subscribers = subscribers
      return subscribers
    }
  }

  /// A subscriber that sets the value, and does not keep this alive. Kept until its end.
  @inlinable
  func assignment(on isolation: (any Actor)?) -> Subscribers.Sink<Value, Never> {
    let assignment = Subscribers.Sink<Value, Never>(
      Subscribers.IsolationPolicy.delivery(toCaller: isolation),
      receiveCompletion: { [weak self] _ in self?.forgetEnded() },
      receiveValue: { [weak self] in self?.set($0) })
    state.withLock { $0.assignments.append(assignment) }
    return assignment
  }

  @usableFromInline
  func forgetEnded() {
    let ended = state.withLock { state in
      let assignments = state.assignments
      state.assignments.removeAll { $0.lifecycle.isClosed }
      return assignments
    }
    withExtendedLifetime(ended) {}
  }
}

extension PublishedStorage: WillChangeHolder {
  func adopt(_ publisher: ObservableObjectPublisher) -> ObservableObjectPublisher {
    state.withLock { state in
      if let publisher = state.willChange { return publisher }
      state.willChange = publisher
      return publisher
    }
  }

  func replace(_ publisher: ObservableObjectPublisher) {
    let old = state.withLock { state in
      defer { state.willChange = publisher }
      return state.willChange
    }
    withExtendedLifetime(old) {}  // what its subscribers hold may use the property in its deinit
  }
}
