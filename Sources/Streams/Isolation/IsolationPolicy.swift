internal import Synchronization

extension Subscribers {
  /// How a signal is delivered that arrives outside of the actor to which a closure is isolated.
  ///
  /// A closure that uses the state of an actor is isolated to it, and the compiler relies on that. Publishers send from any
  /// thread. Where there is no actor, closures are called directly under every policy.
  public enum IsolationPolicy: Sendable {
    /// The closure runs on its actor.
    ///
    /// On the main actor, a signal that arrives there calls it synchronously, unless earlier signals are waiting.
    /// Otherwise the closure runs as soon as the actor is free. Signals stay in order, and nothing is delivered after a
    /// cancellation on the actor.
    case deliverOnActor

    /// A signal that arrives outside of the actor traps (law T5).
    case trap

    /// The closure is called where the signal arrives, as in Combine. You guarantee that this is correct.
    case trust

    /// The policy of calls without a policy. The default is ``deliverOnActor``.
    public static var standard: IsolationPolicy {
      get {
        switch standardNumber.load(ordering: .relaxed) {
        case 0: .deliverOnActor
        case 1: .trap
        default: .trust
        }
      }
      set {
        let number =
          switch newValue {
          case .deliverOnActor: 0
          case .trap: 1
          case .trust: 2
          }
        standardNumber.store(number, ordering: .relaxed)
      }
    }
  }
}

private let standardNumber = Atomic(0)
