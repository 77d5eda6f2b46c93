/// Something that has a value at any time, and a stream of its changes.
public protocol PropertyProtocol<Value> {
  /// What it has.
  associatedtype Value

  /// The value now.
  var value: Value { get }

  /// The value now, for who asks first, and then each change of it. It never fails.
  var publisher: AnyPublisher<Value, Never> { get }
}

extension PropertyProtocol {
  /// Each change of the value, without the one it has now.
  public var changes: AnyPublisher<Value, Never> { publisher.dropFirst().eraseToAnyPublisher() }

  /// The property that has `transform` of this one's value.
  public func map<Result>(_ transform: @escaping (Value) -> Result) -> Property<Result> {
    Property(
      read: { transform(self.value) },
      publisher: Publishers.Map(upstream: publisher, transform: transform).eraseToAnyPublisher())
  }

  /// The property that has this one's value and the other's.
  public func combineLatest<Other: PropertyProtocol>(_ other: Other) -> Property<(Value, Other.Value)> {
    Property(
      read: { (self.value, other.value) },
      publisher: publisher.combineLatest(other.publisher).eraseToAnyPublisher())
  }

  /// The property that has the value of the property that `transform` makes of this one's.
  public func flatMapLatest<Other: PropertyProtocol>(
    _ transform: @escaping (Value) -> Other
  ) -> Property<Other.Value> {
    Property(
      read: { transform(self.value).value },
      publisher: Publishers.Map(upstream: publisher) { transform($0).publisher }.switchToLatest()
        .eraseToAnyPublisher())
  }
}

extension PropertyProtocol where Value: Equatable {
  /// The property that says nothing when the value stays the same.
  public func removeDuplicates() -> Property<Value> {
    Property(read: { self.value }, publisher: publisher.removeDuplicates().eraseToAnyPublisher())
  }
}

extension PropertyProtocol where Value == Bool {
  /// The property that is true when this one and `other` are.
  public func and<Other: PropertyProtocol<Bool>>(_ other: Other) -> Property<Bool> {
    combineLatest(other).map { $0 && $1 }
  }

  /// The property that is true when this one or `other` is.
  public func or<Other: PropertyProtocol<Bool>>(_ other: Other) -> Property<Bool> {
    combineLatest(other).map { $0 || $1 }
  }

  /// The property that is true when this one is not.
  public func negate() -> Property<Bool> { map(!) }
}

/// A value that can be read, and a stream of its changes.
///
/// It is computed from what it was made of each time it is asked for, and holds that.
public struct Property<Value>: PropertyProtocol {
  private let read: () -> Value
  public let publisher: AnyPublisher<Value, Never>

  init(read: @escaping () -> Value, publisher: AnyPublisher<Value, Never>) {
    self.read = read
    self.publisher = publisher
  }

  /// A property that never changes.
  public init(value: Value) { self.init(read: { value }, publisher: Just(value).eraseToAnyPublisher()) }

  /// A view of `property` that cannot change it.
  public init<Other: PropertyProtocol>(_ property: Other) where Other.Value == Value {
    self.init(read: { property.value }, publisher: property.publisher)
  }

  /// A property whose value is `initial`, and then what `publisher` sends. It is subscribed to now, and as long as there
  /// is the property.
  public init<Source: Publisher>(initial: Value, then publisher: Source)
  where Source.Output == Value, Source.Failure == Never {
    let mutable = MutableProperty(initial)
    let sink = publisher.sink { [weak mutable] in mutable?.value = $0 }
    self.init(
      read: { withExtendedLifetime(sink) { mutable.value } }, publisher: mutable.publisher)
  }

  public var value: Value { read() }
}
