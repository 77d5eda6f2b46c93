/// A subject that cannot be ended from outside: values go in by ``accept(_:)``, and the stream finishes when the relay
/// goes.
public protocol Relay<Output>: Publisher where Failure == Never {
  /// Sends `value` to the subscribers.
  func accept(_ value: Output)
}

extension Relay {
  /// Sends on what `publisher` sends. Its end is not.
  ///
  /// - Returns: What keeps the subscription alive: dropping it cancels.
  @_disfavoredOverload
  public func subscribe<Source: Publisher>(_ publisher: Source) -> AnyCancellable
  where Source.Output == Output, Source.Failure == Never {
    publisher.feed(self)
  }

  /// Has `relay` send on what this relay sends, as ``Publisher/subscribe(_:)`` of any publisher does.
  ///
  /// - Returns: What keeps the subscription alive: dropping it cancels.
  @_disfavoredOverload
  public func subscribe<Target: Relay>(_ relay: Target) -> AnyCancellable where Target.Output == Output {
    feed(relay)
  }
}

extension Relay where Output == Void {
  /// Sends to the subscribers that something has happened.
  @_disfavoredOverload
  public func accept() { accept(()) }
}

extension Publisher where Failure == Never {
  /// Has `relay` send on what this publisher sends. The end is not.
  ///
  /// - Returns: What keeps the subscription alive: dropping it cancels.
  @_disfavoredOverload
  public func subscribe<Target: Relay>(_ relay: Target) -> AnyCancellable where Target.Output == Output {
    feed(relay)
  }
}

extension Publisher where Failure == Never {
  /// A relay of this library asks as its subject does: one that only passes values on asks once it has a subscriber that asks,
  /// so that the first values of this publisher are not lost.
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

/// A relay that passes each value on to the subscribers it has. See ``PassthroughSubject``.
public final class PassthroughRelay<Output>: Relay {
  public typealias Failure = Never

  @usableFromInline let subject = PassthroughSubject<Output, Never>()

  /// A relay without subscribers.
  public init() {}

  deinit { subject.send(completion: .finished) }

  /// Sends `value` to every subscriber that has asked for one.
  @inlinable
  public func accept(_ value: Output) { subject.send(value) }

  @inlinable
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Never {
    subject.receive(subscriber: subscriber)
  }
}

/// A relay that has a value, and passes each change of it on. See ``CurrentValueSubject``.
public final class CurrentValueRelay<Output>: Relay {
  public typealias Failure = Never

  @usableFromInline let subject: CurrentValueSubject<Output, Never>

  /// A relay whose value is `value`.
  public init(_ value: Output) { subject = CurrentValueSubject(value) }

  deinit { subject.send(completion: .finished) }

  /// The value now.
  public var value: Output { subject.value }

  /// Makes `value` the value, and sends it.
  @inlinable
  public func accept(_ value: Output) { subject.send(value) }

  @inlinable
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Never {
    subject.receive(subscriber: subscriber)
  }
}

/// A relay that gives new subscribers the values that were accepted last. See ``ReplaySubject``.
public final class ReplayRelay<Output>: Relay {
  public typealias Failure = Never

  @usableFromInline let subject: ReplaySubject<Output, Never>

  /// A relay that replays the last `bufferSize` values. Traps if that is negative.
  public init(bufferSize: Int) { subject = ReplaySubject(bufferSize: bufferSize) }

  deinit { subject.send(completion: .finished) }

  /// Sends `value` to every subscriber, and keeps it for those to come.
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
