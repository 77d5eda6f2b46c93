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

  /// Creates a property with a value.
  public init(_ value: Value) { subject = CurrentValueSubject(value) }

  deinit { subject.send(completion: .finished) }

  /// The current value. Setting it sends it.
  public var value: Value {
    get { subject.value }
    set { subject.value = newValue }
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
  /// No lock is held during the call. If the value was set in the meantime, `body` is called again with the new value.
  /// If it throws, the value does not change.
  @discardableResult @inlinable
  public func modify<Result, Thrown: Error>(
    _ body: (inout Value) throws(Thrown) -> Result
  ) throws(Thrown) -> Result {
    while true {
      let (seen, old) = subject.subscribers.numbered
      var value = old
      let result = try body(&value)
      guard subject.subscribers.place(value, ifNewestIs: seen) else { continue }
      withExtendedLifetime(old) {}
      return result
    }
  }
}

extension MutableProperty: Sendable where Value: Sendable {}
