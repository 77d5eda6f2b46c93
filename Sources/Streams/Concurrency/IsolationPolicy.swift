internal import Synchronization

/// What becomes of a signal for a closure that belongs to an actor, when it comes from elsewhere.
///
/// A closure written in a `@MainActor` class, or in an actor, belongs there: the compiler has checked it on that
/// assumption. Publishers send from any thread. Closures that belong nowhere are called directly, whatever the policy.
public enum IsolationPolicy: Sendable {
  /// The closure runs on its actor: at once if that is the main actor and the signal comes from there, else as soon
  /// as the actor is free. Order is kept, and nothing is delivered after a cancellation on the actor.
  case deliverOnActor

  /// A signal from elsewhere is a mistake, and traps (law T5).
  case trap

  /// The closure is called where the signal comes from. As in Combine: its author vouches for it.
  case trust

  /// The policy of calls that name none; ``deliverOnActor`` unless set.
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

private let standardNumber = Atomic(0)
