/// A kind of subject that never fails and cannot be ended by its users. It finishes when it is deallocated.
///
/// Send values with ``accept(_:)``.
public protocol Relay<Output>: Publisher where Failure == Never {
  /// Sends `value` to the subscribers.
  func accept(_ value: Output)
}

extension Relay {
  /// Sends the values of `publisher`, but not its completion.
  ///
  /// - Returns: A cancellable that keeps the subscription alive. Releasing it cancels the subscription.
  @_disfavoredOverload
  public func subscribe<Source: Publisher>(_ publisher: Source) -> AnyCancellable
  where Source.Output == Output, Source.Failure == Never {
    publisher.feed(self)
  }

  /// Sends the values of this relay to `relay`.
  ///
  /// - Returns: A cancellable that keeps the subscription alive. Releasing it cancels the subscription.
  @_disfavoredOverload
  public func subscribe<Target: Relay>(_ relay: Target) -> AnyCancellable where Target.Output == Output {
    feed(relay)
  }
}

extension Relay where Output == Void {
  /// Sends `()` to the subscribers.
  @_disfavoredOverload
  public func accept() { accept(()) }
}

extension Publisher where Failure == Never {
  /// Sends the values of this publisher to `relay`, but not its completion.
  ///
  /// - Returns: A cancellable that keeps the subscription alive. Releasing it cancels the subscription.
  @_disfavoredOverload
  public func subscribe<Target: Relay>(_ relay: Target) -> AnyCancellable where Target.Output == Output {
    feed(relay)
  }
}

extension Publisher where Failure == Never {
  /// Subscribes `relay` to this publisher. A relay of this library requests values as its subject does. One that only
  /// passes values on requests them once a subscriber has, so the first values of this publisher are not lost.
  fileprivate func feed<Target: Relay>(_ relay: Target) -> AnyCancellable where Target.Output == Output {
    guard let backed = relay as? any SubjectRelay<Output> else { return sink { relay.accept($0) } }
    let subscription = backed.follow(append(Empty(completeImmediately: false)))
    return AnyCancellable { withExtendedLifetime(relay) { subscription.cancel() } }
  }
}

/// A relay that is a subject without an end.
private protocol SubjectRelay<Output>: Relay {
  associatedtype Target: Subject<Output, Never>

  var subject: Target { get }
}

extension SubjectRelay {
  fileprivate func follow<Source: Publisher>(_ publisher: Source) -> AnyCancellable
  where Source.Output == Output, Source.Failure == Never {
    publisher.subscribe(subject)
  }
}

extension PassthroughRelay: SubjectRelay {}
extension CurrentValueRelay: SubjectRelay {}
extension ReplayRelay: SubjectRelay {}

/// A relay that sends each value to its current subscribers. See `PassthroughSubject`.
public final class PassthroughRelay<Output>: Relay {
  public typealias Failure = Never

  @usableFromInline let subject = PassthroughSubject<Output, Never>()

  /// Creates a relay without subscribers.
  public init() {}

  deinit { subject.send(completion: .finished) }

  /// Sends `value` to every subscriber with demand.
  @inlinable
  public func accept(_ value: Output) { subject.send(value) }

  @inlinable
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Never {
    subject.receive(subscriber: subscriber)
  }
}

/// A relay that stores a value and sends each new one. See `CurrentValueSubject`.
public final class CurrentValueRelay<Output>: Relay {
  public typealias Failure = Never

  @usableFromInline let subject: CurrentValueSubject<Output, Never>

  /// Creates a relay with a value.
  public init(_ value: Output) { subject = CurrentValueSubject(value) }

  deinit { subject.send(completion: .finished) }

  /// The current value.
  public var value: Output { subject.value }

  /// Stores `value` and sends it.
  @inlinable
  public func accept(_ value: Output) { subject.send(value) }

  @inlinable
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Never {
    subject.receive(subscriber: subscriber)
  }
}

/// A relay that replays the latest values to new subscribers. See ``ReplaySubject``.
public final class ReplayRelay<Output>: Relay {
  public typealias Failure = Never

  @usableFromInline let subject: ReplaySubject<Output, Never>

  /// Creates a relay that replays the last `bufferSize` values. Traps if `bufferSize` is negative.
  public init(bufferSize: Int) { subject = ReplaySubject(bufferSize: bufferSize) }

  deinit { subject.send(completion: .finished) }

  /// Sends `value` to every subscriber, and adds it to the buffer.
  @inlinable
  public func accept(_ value: Output) { subject.send(value) }

  @inlinable
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Never {
    subject.receive(subscriber: subscriber)
  }
}

// All state is the subjects', which have their gates and locks.
extension PassthroughRelay: Sendable where Output: Sendable {}
extension CurrentValueRelay: Sendable where Output: Sendable {}
extension ReplayRelay: Sendable where Output: Sendable {}
