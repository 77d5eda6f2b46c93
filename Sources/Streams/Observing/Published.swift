/// A property that publishes its changes.
///
/// ```swift
/// final class Album { @Published var photos = 0 }
/// let album = Album()
/// let sink = album.$photos.sink { print($0) }  // 0, then each new value
/// ```
///
/// The new value is published *before* it is stored: a subscriber that reads the property sees the old one. A new
/// subscriber gets the present value as soon as it asks. The publisher never completes, and lets its subscribers go
/// when the object goes.
@propertyWrapper
public struct Published<Value> {
  @usableFromInline let storage: PublishedStorage<Value>

  /// A property whose value is `wrappedValue`: `@Published var name = ""`.
  @inlinable
  public init(wrappedValue: Value) { storage = PublishedStorage(wrappedValue) }

  /// The same as ``init(wrappedValue:)``.
  @inlinable
  public init(initialValue: Value) { self.init(wrappedValue: initialValue) }

  /// The publisher of a ``Published`` property's values.
  public struct Publisher: Streams.Publisher {
    public typealias Output = Value
    public typealias Failure = Never

    @usableFromInline let storage: PublishedStorage<Value>

    @inlinable
    init(_ storage: PublishedStorage<Value>) { self.storage = storage }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Value, Downstream.Failure == Never {
      storage.openAudience().admit(subscriber)
    }
  }

  /// The publisher of this property.
  ///
  /// It can be passed to `assign(to:)`. Assigning another publisher to it has no effect, as in Combine.
  public var projectedValue: Publisher {
    @inlinable
    get { Publisher(storage) }
    set {}
  }

  /// The value of the property, which has to be one of a class.
  @available(*, unavailable, message: "@Published is only available on properties of classes")
  public var wrappedValue: Value {
    get { Violation.publishedOutsideClass() }
    set { Violation.publishedOutsideClass() }
  }

  @inlinable
  public static subscript<EnclosingSelf: AnyObject>(
    _enclosingInstance object: EnclosingSelf,
    wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
  ) -> Value {
    get { object[keyPath: storageKeyPath].storage.value }
    set { object[keyPath: storageKeyPath].storage.set(newValue) }
  }
}

extension Published: Sendable where Value: Sendable {}  // the storage has its own lock
extension Published.Publisher: Sendable where Value: Sendable {}  // the same storage
