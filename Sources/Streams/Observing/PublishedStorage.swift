public import Synchronization

/// The value of a ``Published`` property, and its subscribers.
@usableFromInline
final class PublishedStorage<Value>: @unchecked Sendable {  // what varies has a lock
  @usableFromInline typealias List = SubscriberList<Value, Never>
  /// Without its type, which code that is not specialised would look up.
  @usableFromInline typealias AnyList = Unmanaged<AnySubscriberList>

  @usableFromInline let ownLock = Lock()
  /// The last bits of the number of the value that is stored: the last one set wins, as it is the last one sent. Beside the lock,
  /// which is as small.
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var number: UInt32 = 0
  /// The address of the list, which is created for the first subscriber. Retained. From then on, its lock is that of all that follows,
  /// since values are put in order under that one.
  @usableFromInline let listAddress = Atomic<UInt>(0)

  @exclusivity(unchecked)  // under the lock only, as all that follows
  @usableFromInline var stored: Value
  /// Sends before anything else, if the object is observable.
  @exclusivity(unchecked)
  @usableFromInline var willChange: ObservableObjectPublisher?
  @exclusivity(unchecked)
  @usableFromInline var assignments: [Subscribers.Sink<Value, Never>] = []

  @inlinable
  init(_ value: Value) { stored = value }

  deinit {
    if let list = audience {
      list.takeUnretainedValue().abandon()
      list.release()
    }
    for assignment in assignments { assignment.cancel() }
  }

  @inlinable @inline(__always)
  var audience: AnyList? { AnyList(at: listAddress.load(ordering: .acquiring)) }

  // MARK: The lock

  /// Takes the lock, and returns the list that it belongs to.
  @inlinable @inline(__always)
  func take() -> AnyList? {
    guard let list = audience else { return takeOwn() }
    list._withUnsafeGuaranteedRef { $0.lock.take() }
    return list
  }

  @inlinable @inline(__always)
  func takeOwn() -> AnyList? {
    ownLock.take()
    guard let list = audience else { return nil }
    ownLock.give()
    list._withUnsafeGuaranteedRef { $0.lock.take() }
    return list
  }

  @inlinable @inline(__always)
  func give(_ list: AnyList?) {
    if let list { list._withUnsafeGuaranteedRef { $0.lock.give() } } else { ownLock.give() }
  }

  @inlinable @inline(__always)
  func withLock<Result>(_ body: () -> Result) -> Result {
    let list = take()
    defer { give(list) }
    return body()
  }

  // MARK: The value

  @inlinable
  var value: Value { withLock { stored } }

  /// Announces, publishes, then stores.
  @inlinable
  func set(_ value: Value) {
    let list = take()
    guard let willChange else { return set(value, list) }
    give(list)
    willChange.send()
    set(value, take())
  }

  /// Publishes and stores, and gives the lock.
  @inlinable
  func set(_ value: Value, _ list: AnyList?) {
    guard let list else { return store(value, nil) }
    list._withUnsafeGuaranteedRef { list in
      let list = unsafeDowncast(list, to: List.self)
      var old: Value?  // its deinit must not run under the lock
      let reservation = list.reservePosition(for: value, &old)
      list.lock.give()
      withExtendedLifetime(old) {}
      list.finishDelivery(reservation, value)
      list.lock.take()
      let mine = UInt32(truncatingIfNeeded: reservation.number)
      if Int32(bitPattern: mine &- number) < 0 { return list.lock.give() }
      number = mine
      store(value, .passUnretained(list))
    }
  }

  @inlinable @inline(__always)
  func store(_ value: Value, _ list: AnyList?) {
    let old = stored  // its deinit must not run under the lock
    stored = value
    give(list)
    withExtendedLifetime(old) {}
  }

  /// Returns the list of subscribers.
  @usableFromInline
  func openAudience() -> List {
    if let list = audience {
      return unsafeDowncast(list.takeUnretainedValue(), to: List.self)
    }
    return ownLock.withLock {
      if let list = audience {
        return unsafeDowncast(list.takeUnretainedValue(), to: List.self)
      }
      let list = List("PublishedSubject", replaying: stored)
      listAddress.store(AnyList.passRetained(list).address, ordering: .releasing)
      return list
    }
  }

  /// A subscriber that sets the value, and does not keep this alive. Kept until its end.
  @inlinable
  func assignment(on isolation: (any Actor)?) -> Subscribers.Sink<Value, Never> {
    let assignment = Subscribers.Sink<Value, Never>(
      Subscribers.IsolationPolicy.delivery(toCaller: isolation),
      receiveCompletion: { [weak self] _ in self?.forgetEnded() },
      receiveValue: { [weak self] in self?.set($0) })
    withLock { assignments.append(assignment) }
    return assignment
  }

  @usableFromInline
  func forgetEnded() {
    let ended = withLock {
      let before = assignments
      assignments.removeAll { $0.lifecycle.isClosed }
      return before
    }
    withExtendedLifetime(ended) {}
  }
}

extension PublishedStorage: Reflected {}

extension PublishedStorage: WillChangeHolder {
  func adopt(_ publisher: ObservableObjectPublisher) -> ObservableObjectPublisher {
    withLock {
      let adopted = willChange ?? publisher
      willChange = adopted
      return adopted
    }
  }

  func replace(_ publisher: ObservableObjectPublisher) {
    let old = withLock {
      defer { willChange = publisher }
      return willChange
    }
    withExtendedLifetime(old) {}  // what its subscribers hold may use the property in its deinit
  }
}
