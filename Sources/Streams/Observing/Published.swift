/// A property wrapper that publishes the changes of a property.
///
/// ```swift
/// final class Album { @Published var photos = 0 }
/// let album = Album()
/// let cancellable = album.$photos.sink { print($0) }  // Prints 0
/// album.photos = 1  // Prints 1
/// ```
///
/// The new value is published *before* it is stored, so a closure that is called during the assignment reads the previous
/// value. If several threads assign at once, a value can be stored first. A new subscriber receives the current value
/// with its first request. The publisher never completes. Unless you keep it, it releases its subscribers with the object.
@propertyWrapper
public struct Published<Value> {
  @usableFromInline let storage: PublishedStorage<Value>

  /// Creates a property with a value, as in `@Published var name = ""`.
  @inlinable
  public init(wrappedValue: Value) { storage = PublishedStorage(wrappedValue) }

  /// Creates a property with a value. The same as ``init(wrappedValue:)``.
  @inlinable
  public init(initialValue: Value) { self.init(wrappedValue: initialValue) }

  /// A publisher of the values of a ``Published`` property.
  public struct Publisher: Streams.Publisher {
    public typealias Output = Value
    public typealias Failure = Never

    @usableFromInline let storage: PublishedStorage<Value>

    @inlinable
    init(_ storage: PublishedStorage<Value>) { self.storage = storage }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Value, Downstream.Failure == Never {
      storage.openAudience().add(subscriber)
    }
  }

  /// The publisher of this property.
  ///
  /// You can pass it to `assign(to:)`. Assigning another publisher to it has no effect.
  public var projectedValue: Publisher {
    @inlinable
    get { Publisher(storage) }
    set {}
  }

  /// The value of the property, which must be a property of a class.
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
