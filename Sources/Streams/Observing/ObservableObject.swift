/// An object with a publisher that signals before the object changes.
///
/// ```swift
/// final class Album: ObservableObject { @Published var photos = 0 }
/// let album = Album()
/// let sink = album.objectWillChange.sink { print("will change") }
/// album.photos = 1  // will change
/// ```
public protocol ObservableObject: AnyObject {
  /// The type of the publisher.
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
  where ObjectWillChangePublisher.Failure == Never

  /// A publisher that sends before the object changes.
  var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
  /// A publisher that sends before any ``Published`` property of this object, or of its superclasses, changes.
  ///
  /// An object always returns the same publisher, with or without such properties, unless a property wrapper itself is
  /// replaced.
  ///
  /// Unless you keep the publisher, it releases its subscribers with the object. For an object without such properties,
  /// this happens at one of the next uses of `objectWillChange` of any object. To release the subscribers immediately,
  /// declare `let objectWillChange = ObservableObjectPublisher()` in the class.
  public var objectWillChange: ObservableObjectPublisher { WillChange.publisher(of: self) }
}

/// A publisher that signals without a value. It never completes.
public final class ObservableObjectPublisher: Publisher {
  public typealias Output = Void
  public typealias Failure = Never

  @usableFromInline let subscribers = SubscriberList<Void, Never>(
    "ObservableObjectPublisher", zeroDemand: .passes, takesRequestsAsUnlimited: true)

  /// Creates a publisher, which sends when you call ``send()``.
  public init() {}

  deinit { subscribers.abandon() }

  /// Signals all subscribers that have called `request(_:)`, whatever the demand.
  @inlinable
  public func send() { subscribers.send(()) }

  @inlinable @inline(__always)
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Void, Downstream.Failure == Never {
    subscribers.add(subscriber)
  }
}

extension ObservableObjectPublisher: Sendable {}
