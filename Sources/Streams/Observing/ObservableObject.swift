/// An object that says when it is about to change.
///
/// ```swift
/// final class Album: ObservableObject { @Published var photos = 0 }
/// let album = Album()
/// let sink = album.objectWillChange.sink { print("will change") }
/// album.photos = 1  // will change
/// ```
public protocol ObservableObject: AnyObject {
  /// The kind of publisher that says so.
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
  where ObjectWillChangePublisher.Failure == Never

  /// Sends before the object changes.
  var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
  /// A publisher that sends before any ``Published`` property of this object, or of its superclasses, changes.
  ///
  /// Always the same for the same object, whether or not it has such properties.
  ///
  /// It releases its subscribers with the object. If the object has no such property, it does so at one of the next uses
  /// of `objectWillChange`, of any object: at most half as many as there are objects without properties. To release them
  /// at once, declare `let objectWillChange = ObservableObjectPublisher()` in the class.
  public var objectWillChange: ObservableObjectPublisher { WillChange.publisher(of: self) }
}

/// A publisher that signals without a value, to everybody who has asked for anything. It never completes.
public final class ObservableObjectPublisher: Publisher {
  public typealias Output = Void
  public typealias Failure = Never

  @usableFromInline let audience = Audience<Void, Never>(
    "ObservableObjectPublisher", zeroDemand: .passes, takesRequestsAsUnlimited: true)

  /// A publisher that sends when it is told to.
  public init() {}

  deinit { audience.abandon() }

  /// Signals.
  @inlinable
  public func send() { audience.send(()) }

  @inlinable @inline(__always)
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Void, Downstream.Failure == Never {
    audience.admit(subscriber)
  }
}

extension ObservableObjectPublisher: Sendable {}
