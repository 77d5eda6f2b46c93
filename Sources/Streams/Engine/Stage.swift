/// The rule of a synchronous operator: one value in, at most one value out.
///
/// A stage never sees subscriptions, demand or cancellation; ``StageRelay`` does that once for all.
/// What it must remember between values is its `Memory`, which the relay keeps for it.
@usableFromInline
package protocol Stage<Input, Output> {
  associatedtype Input
  associatedtype Output
  associatedtype Thrown: Error
  associatedtype Memory

  /// The operator's name, as `print()` and the debugger show it.
  static var name: String { get }

  /// What `request(.none)` does to this operator, as in Combine.
  static var zeroDemand: ZeroDemand { get }

  /// What the stage remembers before the first value.
  var initial: Memory { get }

  /// How many values of upstream make one for downstream: demand is multiplied by it.
  var valuesPerOutput: Int { get }

  /// What is left to send when upstream finishes.
  func remainder(_ memory: Memory) -> Output?

  func receive(_ input: Input, _ memory: inout Memory) throws(Thrown) -> Step<Output>

  /// What a mirror shows, as in Combine.
  func children(_ parts: ReflectedParts<Memory>) -> [Mirror.Child]
}

extension Stage {
  @inlinable package static var zeroDemand: ZeroDemand { .passes }
  @inlinable package var valuesPerOutput: Int { 1 }
  @inlinable package func remainder(_: Memory) -> Output? { nil }
  @usableFromInline package func children(_ parts: ReflectedParts<Memory>) -> [Mirror.Child] { [] }
}

extension Stage where Memory == Void {
  @inlinable package var initial: Void { () }
}

/// What a request for nothing does.
@frozen @usableFromInline
package enum ZeroDemand { case traps, passes }

/// What one value does to the stream.
@frozen @usableFromInline
package enum Step<Output> {
  /// Deliver this, and carry on.
  case emit(Output)
  /// Deliver nothing; ask upstream for one more in its place.
  case skip
  /// Deliver this, and it is the last: upstream is cancelled first.
  case emitLast(Output)
  /// Deliver nothing yet: this value will be part of one that was asked for.
  case hold
  /// Deliver nothing; cancel upstream and finish.
  case finish
}

/// How the two ways to fail become downstream's one.
@usableFromInline
package protocol FailureRule {
  associatedtype Upstream: Error
  associatedtype Thrown: Error
  associatedtype Downstream: Error

  static func lift(_ failure: Upstream) -> Downstream
  static func lift(thrown error: Thrown) -> Downstream
}

/// The stage cannot throw; upstream's failure passes through.
@frozen @usableFromInline
package enum Preserving<Failure: Error>: FailureRule {
  @inlinable package static func lift(_ failure: Failure) -> Failure { failure }
  @inlinable package static func lift(thrown error: Never) -> Failure {}
}

/// The stage may throw anything; every failure widens to `any Error`.
@frozen @usableFromInline
package enum Widening<Failure: Error>: FailureRule {
  @inlinable package static func lift(_ failure: Failure) -> any Error { failure }
  @inlinable package static func lift(thrown error: any Error) -> any Error { error }
}
