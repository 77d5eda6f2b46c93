/// A value that can be changed, and a stream of its changes.
///
/// ```swift
/// let volume = MutableProperty(5)
/// let sink = volume.publisher.sink { print($0) }  // 5
/// volume.value = 6  // 6
/// ```
///
/// Thread-safe. The streams never fail, and finish when the property is deallocated.
@dynamicMemberLookup
public final class MutableProperty<Value>: PropertyProtocol {
  @usableFromInline let subject: CurrentValueSubject<Value, Never>
  @usableFromInline let turn = ExclusiveTurn()

  /// Creates a property with a value.
  public init(_ value: Value) { subject = CurrentValueSubject(value) }

  deinit { subject.send(completion: .finished) }

  /// The current value. Setting it sends it.
  public var value: Value {
    get { subject.value }
    set { modify { $0 = newValue } }
  }

  /// A publisher of the current value and of those set later, as `CurrentValueSubject` sends them.
  public var publisher: AnyPublisher<Value, Never> { subject.eraseToAnyPublisher() }

  /// A property of a part of the value.
  public subscript<Part>(dynamicMember keyPath: KeyPath<Value, Part>) -> Property<Part> {
    map { $0[keyPath: keyPath] }
  }

  /// Sets the value, and returns the previous one.
  @discardableResult
  public func swap(_ value: Value) -> Value {
    modify { current in
      defer { current = value }
      return current
    }
  }

  /// Calls `body` with the value, and returns its result.
  public func withValue<Result, Thrown: Error>(
    _ body: (Value) throws(Thrown) -> Result
  ) throws(Thrown) -> Result {
    try body(subject.value)
  }

  /// Changes the value atomically.
  ///
  /// Calls `body` once. Meanwhile, other threads that change the value wait, and reading it returns the old value. So `body`
  /// must not wait for them. A value that `body` itself sets is sent, and then replaced by the result. Subscribers are called
  /// afterwards, while others may change the value. If `body` throws, the value does not change.
  @discardableResult @inlinable
  public func modify<Result, Thrown: Error>(
    _ body: (inout Value) throws(Thrown) -> Result
  ) throws(Thrown) -> Result {
    var old: Value?  // its deinit must not run in turn
    var change: (value: Value, position: Reservation)?
    let result = try turn.run { () throws(Thrown) -> Result in
      var value = subject.value
      old = value
      let result = try body(&value)
      change = (value, subject.subscribers.place(value))
      return result
    }
    if let change { subject.subscribers.finishDelivery(change.position, change.value) }
    withExtendedLifetime(old) {}
    return result
  }
}

extension MutableProperty: Sendable where Value: Sendable {}
