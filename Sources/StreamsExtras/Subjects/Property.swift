/// A type with a current value and a stream of its changes.
public protocol PropertyProtocol<Value>: SendableMetatype {
  /// The type of the value.
  associatedtype Value

  /// The current value.
  var value: Value { get }

  /// A publisher of the current value and of later ones. It never fails.
  var publisher: AnyPublisher<Value, Never> { get }
}

extension PropertyProtocol {
  /// A publisher of later values, without the current one.
  public var changes: AnyPublisher<Value, Never> { publisher.dropFirst().eraseToAnyPublisher() }

  /// Returns a property whose value is transformed by `transform`.
  public func map<Result>(_ transform: @escaping (Value) -> Result) -> Property<Result> {
    Property(
      read: { transform(self.value) },
      publisher: Publishers.Map(upstream: publisher, transform: transform).eraseToAnyPublisher())
  }

  /// Returns a property of the values of this property and of another.
  public func combineLatest<Other: PropertyProtocol>(_ other: Other) -> Property<(Value, Other.Value)> {
    Property(
      read: { (self.value, other.value) },
      publisher: publisher.combineLatest(other.publisher).eraseToAnyPublisher())
  }

  /// Returns a property with the value of the property that `transform` returns for the current value.
  ///
  /// `transform` is called once for each value, also without subscribers.
  public func flatMapLatest<Other: PropertyProtocol>(
    _ transform: @escaping (Value) -> Other
  ) -> Property<Other.Value> {
    let latest = CurrentValueSubject<Other.Value?, Never>(nil)
    // The scan keeps the latest property, which the closure may have created.
    let values = Publishers.Scan(upstream: publisher, initialResult: Other?.none) { transform($1) }
      .compactMap { $0?.publisher }.switchToLatest().map { Other.Value?.some($0) }
      .multicast(subject: latest).autoconnect()
    let connected = values.sink { _ in }
    return Property(
      read: { withExtendedLifetime(connected) { latest.value } ?? transform(self.value).value },
      publisher: Deferred { withExtendedLifetime(connected) { values } }.compactMap { $0 }
        .eraseToAnyPublisher())
  }
}

extension PropertyProtocol where Value: Equatable {
  /// Returns a property that publishes only values that differ from the previous one.
  public func removeDuplicates() -> Property<Value> {
    Property(read: { self.value }, publisher: publisher.removeDuplicates().eraseToAnyPublisher())
  }
}

extension PropertyProtocol where Value == Bool {
  /// Returns a property that is true if this property and `other` are both true.
  public func and<Other: PropertyProtocol<Bool>>(_ other: Other) -> Property<Bool> {
    combineLatest(other).map { $0 && $1 }
  }

  /// Returns a property that is true if this property or `other` is true.
  public func or<Other: PropertyProtocol<Bool>>(_ other: Other) -> Property<Bool> {
    combineLatest(other).map { $0 || $1 }
  }

  /// Returns a property with the negated value.
  public func negate() -> Property<Bool> { map(!) }
}

/// A value that can be read, and a stream of its changes.
///
/// Operators such as `map` compute the value each time it is read; `flatMapLatest` stores it. The property keeps the properties it is made of alive.
public struct Property<Value>: PropertyProtocol {
  private let read: () -> Value
  public let publisher: AnyPublisher<Value, Never>

  init(read: @escaping () -> Value, publisher: AnyPublisher<Value, Never>) {
    self.read = read
    self.publisher = publisher
  }

  /// Creates a property that never changes.
  public init(value: Value) { self.init(read: { value }, publisher: Just(value).eraseToAnyPublisher()) }

  /// Creates a read-only view of `property`.
  public init<Other: PropertyProtocol>(_ property: Other) where Other.Value == Value {
    self.init(read: { property.value }, publisher: property.publisher)
  }

  /// Creates a property with an initial value, followed by the values of `publisher`.
  ///
  /// It subscribes to `publisher` immediately, for as long as the property exists.
  public init<Source: Publisher>(initial: Value, then publisher: Source)
  where Source.Output == Value, Source.Failure == Never {
    let mutable = MutableProperty(initial)
    let sink = publisher.sink { [weak mutable] in mutable?.value = $0 }
    self.init(
      read: { withExtendedLifetime(sink) { mutable.value } }, publisher: mutable.publisher)
  }

  public var value: Value { read() }
}
