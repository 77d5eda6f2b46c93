/// A value that can be changed, and a stream of its changes.
///
/// ```swift
/// let volume = MutableProperty(5)
/// let sink = volume.publisher.sink { print($0) }  // 5
/// volume.value = 6  // 6
/// ```
///
/// Any thread may read and change it. The streams never fail, and finish when the property goes.
@dynamicMemberLookup
public final class MutableProperty<Value>: PropertyProtocol {
  private let subject: CurrentValueSubject<Value, Never>
  private let version = Guarded(0)

  /// A property whose value is `value`.
  public init(_ value: Value) { subject = CurrentValueSubject(value) }

  deinit { subject.send(completion: .finished) }

  /// The value now. Setting it sends it.
  public var value: Value {
    get { subject.value }
    set { swap(newValue) }
  }

  /// The value now, for who asks first, and then each change of it.
  public var publisher: AnyPublisher<Value, Never> { subject.eraseToAnyPublisher() }

  /// A part of the value, as a property.
  public subscript<Part>(dynamicMember keyPath: KeyPath<Value, Part>) -> Property<Part> {
    map { $0[keyPath: keyPath] }
  }

  /// Sets the value, and answers the one before.
  @discardableResult
  public func swap(_ value: Value) -> Value {
    modify { current in
      defer { current = value }
      return current
    }
  }

  /// Calls `body` with the value.
  public func withValue<Result, Thrown: Error>(
    _ body: (Value) throws(Thrown) -> Result
  ) throws(Thrown) -> Result {
    try body(subject.value)
  }

  /// Changes the value in one step: no other change comes in between.
  ///
  /// No lock is held meanwhile: if another thread has changed the value in the meantime, `body` is called again with
  /// that. If it throws, the value stays.
  @discardableResult
  public func modify<Result, Thrown: Error>(
    _ body: (inout Value) throws(Thrown) -> Result
  ) throws(Thrown) -> Result {
    while true {
      let (seen, old) = version.withLock { version in (version, subject.value) }
      var value = old
      let result = try body(&value)
      let place = version.withLock { version -> Audience<Value, Never>.Place? in
        guard version == seen else { return nil }
        version += 1
        return subject.place(value)
      }
      guard let place else { continue }
      subject.audience.carryOn(place, value)
      withExtendedLifetime(old) {}
      return result
    }
  }
}

extension MutableProperty: Sendable where Value: Sendable {}

extension CurrentValueSubject {
  /// Stores `value`, and takes its place in the order of deliveries: the first half of sending it, for who holds a lock.
  /// The caller has the value before, so that it is not let go of here.
  fileprivate func place(_ value: Output) -> Audience<Output, Failure>.Place {
    lock.withLock {
      current = value
      return audience.takePlace(for: value)
    }
  }
}
