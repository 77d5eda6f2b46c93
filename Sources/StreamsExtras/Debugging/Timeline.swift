internal import CThreads

/// Records subscriptions, requests, values, completions and cancellations of any chain while it is enabled.
///
/// ```swift
/// let timeline = Timeline()
/// timeline.enable()
/// let sink = (1...3).publisher.filter { $0 > 1 }.sink { _ in }
/// timeline.disable()
/// print(timeline.text)
/// ```
///
/// Each connection of a subscriber to a publisher has its own line. Only subscriptions that begin while the timeline is
/// enabled are recorded. Signals can arrive on several threads. You can read ``text`` and ``svg`` at any time.
///
/// - Complexity: Keeps every event.
public final class Timeline: _Introspection, Sendable {
  /// A recorded event.
  public struct Event: Sendable {
    /// The position of the event, counted from zero.
    public let number: Int
    /// The connection: an index into ``Timeline/joints``.
    public let joint: Int
    /// The kind of the event.
    public let kind: Kind

    /// The kind of an event.
    public enum Kind: Hashable, Sendable {
      /// A subscriber was attached to a publisher.
      case subscribed
      /// The subscription arrived.
      case subscription
      /// Values were requested. `nil` is an unlimited request.
      case requested(Int?)
      /// A value arrived, with this description.
      case value(String)
      /// The stream finished.
      case finished
      /// The stream failed, with this description.
      case failed(String)
      /// The subscription was cancelled.
      case cancelled
    }
  }

  /// A connection of a subscriber to a publisher.
  public struct Joint: Hashable, Sendable, CustomStringConvertible {
    /// The description of the publisher, or the name of its type.
    public let publisher: String
    /// The description of the subscriber, or the name of its type.
    public let subscriber: String

    public var description: String { "\(publisher) → \(subscriber)" }
  }

  private struct Key: Hashable {
    let identifier: CombineIdentifier
    let type: ObjectIdentifier
  }

  private struct State {
    var joints: [Joint] = []
    var events: [Event] = []
    var jointOfSubscriber: [Key: Int] = [:]
    var jointsOfSubscription: [CombineIdentifier: [Int]] = [:]
    /// How deep the requests and cancellations of a subscription are nested: each joint passes it on to the one above.
    var depth: [CombineIdentifier: Int] = [:]
  }

  private let state = Guarded(State())
  private let thread: UInt?

  /// Creates a timeline, which records once it is enabled.
  ///
  /// - Parameter onlyThisThread: Whether to record only events on the current thread.
  public init(onlyThisThread: Bool = false) { thread = onlyThisThread ? cthreads_current() : nil }

  /// All events, in order.
  public var events: [Event] { state.withLock { $0.events } }

  /// All connections, in the order of the subscriptions.
  public var joints: [Joint] { state.withLock { $0.joints } }

  // MARK: Hooks

  public func willReceive<P: Publisher, S: Subscriber>(publisher: P, subscriber: S)
  where P.Failure == S.Failure, P.Output == S.Input {
    note { state in
      state.jointOfSubscriber[Self.key(of: subscriber)] = state.joints.count
      state.joints.append(Joint(publisher: Self.name(of: publisher), subscriber: Self.name(of: subscriber)))
      return (state.joints.count - 1, .subscribed)
    }
  }

  public func willReceive<S: Subscriber>(subscriber: S, subscription: any Subscription) {
    note { state in
      guard let joint = state.jointOfSubscriber[Self.key(of: subscriber)] else { return nil }
      state.jointsOfSubscription[subscription.combineIdentifier, default: []].append(joint)
      return (joint, .subscription)
    }
  }

  public func willReceive<S: Subscriber>(subscriber: S, input: S.Input) {
    let words = String(describing: input)
    note { state in state.jointOfSubscriber[Self.key(of: subscriber)].map { ($0, .value(words)) } }
  }

  public func willReceive<S: Subscriber>(subscriber: S, completion: Subscribers.Completion<S.Failure>) {
    let kind: Event.Kind =
      switch completion {
      case .finished: .finished
      case .failure(let error): .failed("\(error)")
      }
    note { state in state.jointOfSubscriber[Self.key(of: subscriber)].map { ($0, kind) } }
  }

  public func didReceive<S: Subscriber>(
    subscriber: S, input _: S.Input, resultingDemand: Subscribers.Demand
  ) {
    guard resultingDemand > .none else { return }
    note { state in
      state.jointOfSubscriber[Self.key(of: subscriber)].map { ($0, .requested(resultingDemand.max)) }
    }
  }

  public func willRequest(subscription: any Subscription, _ demand: Subscribers.Demand) {
    note { Self.enter(subscription, &$0).map { ($0, .requested(demand.max)) } }
  }

  public func didRequest(subscription: any Subscription, _: Subscribers.Demand) { leave(subscription) }

  public func willCancel(subscription: any Subscription) {
    note { Self.enter(subscription, &$0).map { ($0, .cancelled) } }
  }

  public func didCancel(subscription: any Subscription) { leave(subscription) }

  // MARK: Writing down

  private func note(_ read: (inout State) -> (joint: Int, kind: Event.Kind)?) {
    if let thread, thread != cthreads_current() { return }
    state.withLock { state in
      guard let (joint, kind) = read(&state) else { return }
      state.events.append(Event(number: state.events.count, joint: joint, kind: kind))
    }
  }

  /// The joint that a signal to `subscription` passes now: the lowest first, and from there up.
  private static func enter(_ subscription: any Subscription, _ state: inout State) -> Int? {
    let identifier = subscription.combineIdentifier
    let depth = state.depth[identifier, default: 0]
    state.depth[identifier] = depth + 1
    guard let joints = state.jointsOfSubscription[identifier] else { return nil }
    return joints.dropLast(depth).last
  }

  private func leave(_ subscription: any Subscription) {
    if let thread, thread != cthreads_current() { return }
    state.withLock { $0.depth[subscription.combineIdentifier, default: 1] -= 1 }
  }

  private static func key<S: Subscriber>(of subscriber: S) -> Key {
    Key(identifier: subscriber.combineIdentifier, type: ObjectIdentifier(S.self))
  }

  private static func name(of part: Any) -> String {
    (part as? any CustomStringConvertible)?.description ?? String("\(type(of: part))".prefix { $0 != "<" })
  }
}
