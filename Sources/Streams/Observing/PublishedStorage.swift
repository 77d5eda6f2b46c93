/// The value of a ``Published`` property, and those who follow it.
@usableFromInline
final class PublishedStorage<Value>: Sendable {
  private struct State {
    var value: Value
    /// How many values were set, and which of them `value` is: the last one set wins, as it is the last one sent.
    var sets = 0
    var stored = 0
    var audience: Audience<Value, Never>?
    /// Told before anything else, if the object is observable.
    var willChange: ObservableObjectPublisher?
    var assignments: [PublishedAssignment<Value>] = []

    mutating func replace(with value: Value) -> Value {
      defer { self.value = value }
      return self.value
    }
  }

  private let state: Guarded<State>

  init(_ value: Value) { state = Guarded(State(value: value)) }

  deinit {
    let (audience, assignments) = state.withLock { ($0.audience, $0.assignments) }
    audience?.abandon()
    for assignment in assignments { assignment.cancel() }
  }

  var value: Value { state.withLock { $0.value } }

  private typealias Publication = (
    number: Int, audience: Audience<Value, Never>, place: Audience<Value, Never>.Place
  )

  /// Announces, publishes, then stores.
  func set(_ value: Value) {
    state.withLock { $0.willChange }?.send()
    let (old, publication) = state.withLock { state -> (Value?, Publication?) in
      guard let audience = state.audience else { return (state.replace(with: value), nil) }
      state.sets += 1
      return (nil, (state.sets, audience, audience.takePlace(for: value)))
    }
    withExtendedLifetime(old) {}  // its deinit must not run under the lock
    if let publication { publish(value, publication) }
  }

  private func publish(_ value: Value, _ publication: Publication) {
    publication.audience.carryOn(publication.place, value)
    let old = state.withLock { state -> Value? in
      guard publication.number > state.stored else { return nil }
      state.stored = publication.number
      return state.replace(with: value)
    }
    withExtendedLifetime(old) {}
  }

  /// Made for the first subscriber: a property that nobody follows costs no audience.
  @usableFromInline
  func openAudience() -> Audience<Value, Never> {
    state.withLock { state in
      if let audience = state.audience { return audience }
      let audience = Audience<Value, Never>("PublishedSubject", replaying: state.value)
      state.audience = audience
      return audience
    }
  }

  func keep(_ assignment: PublishedAssignment<Value>) {
    state.withLock { $0.assignments.append(assignment) }
  }

  func forget(_ assignment: PublishedAssignment<Value>) {
    let gone = state.withLock { state -> PublishedAssignment<Value>? in
      guard let index = state.assignments.firstIndex(where: { $0 === assignment }) else { return nil }
      return state.assignments.remove(at: index)
    }
    withExtendedLifetime(gone) {}
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

  func replace(_ publisher: ObservableObjectPublisher) { state.withLock { $0.willChange = publisher } }
}
