internal import CThreads

/// Writes down who subscribes, asks, receives and cancels while it is enabled, in any chain.
///
/// ```swift
/// let timeline = Timeline()
/// timeline.enable()
/// let sink = (1...3).publisher.filter { $0 > 1 }.sink { _ in }
/// timeline.disable()
/// print(timeline.text)
/// ```
///
/// A joint is where a subscriber is attached to a publisher; each has a line of its own. Only what is subscribed to while
/// this is enabled is seen. Any thread may be seen, several at a time; ``text`` and ``svg`` may be asked for at any time.
///
/// - Complexity: Keeps everything that is seen.
public final class Timeline: _Introspection, Sendable {
  /// Something that was seen.
  public struct Event: Sendable {
    /// When, counted in events from zero.
    public let number: Int
    /// Where: an index of ``Timeline/joints``.
    public let joint: Int
    /// What happened.
    public let kind: Kind

    /// What happened; a request for `nil` is unlimited.
    public enum Kind: Hashable, Sendable {
      /// A subscriber was attached to a publisher.
      case subscribed
      /// The subscription arrived.
      case subscription
      /// So many values were asked for.
      case requested(Int?)
      /// A value arrived; its description.
      case value(String)
      /// The end arrived.
      case finished
      /// A failure arrived; its description.
      case failed(String)
      /// The subscription was cancelled.
      case cancelled
    }
  }

  /// Where a subscriber is attached to a publisher.
  public struct Joint: Hashable, Sendable, CustomStringConvertible {
    /// What the publisher calls itself, or else the name of its type.
    public let publisher: String
    /// What the subscriber calls itself, or else the name of its type.
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

  /// A timeline of what happens as long as there is it.
  ///
  /// - Parameter onlyThisThread: Whether to see only what happens on the thread that makes this.
  public init(onlyThisThread: Bool = false) { thread = onlyThisThread ? cthreads_current() : nil }

  /// Everything seen, in order.
  public var events: [Event] { state.withLock { $0.events } }

  /// Every joint seen, in the order of the subscriptions.
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
