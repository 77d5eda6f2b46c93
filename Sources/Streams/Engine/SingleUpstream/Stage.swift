/// The rule of a synchronous operator: one value in, at most one value out.
///
/// ``StageSubscription`` handles subscriptions, demand and cancellation. The state of a stage between values is its
/// `Memory`, which the subscription stores.
@usableFromInline
package protocol Stage<Input, Output> {
  associatedtype Input
  associatedtype Output
  associatedtype Thrown: Error
  associatedtype Memory

  /// The operator's name, as `print()` and the debugger show it.
  static var name: String { get }

  /// The effect of `request(.none)` on this operator, as in Combine.
  static var zeroDemand: ZeroDemand { get }

  /// The memory before the first value.
  var initial: Memory { get }

  /// How many values of upstream make one for downstream: demand is multiplied by it.
  var valuesPerOutput: Int { get }

  /// The value that is sent when upstream finishes, if any.
  func remainder(_ memory: Memory) -> Output?

  func receive(_ input: Input, _ memory: inout Memory) throws(Thrown) -> Step<Output>

  /// Returns the children that a mirror shows, as in Combine.
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

/// The effect of a request for no values.
@frozen @usableFromInline
package enum ZeroDemand { case traps, passes }

/// The effect of one value on the stream.
@frozen @usableFromInline
package enum Step<Output> {
  /// Delivers this value.
  case emit(Output)
  /// Delivers nothing, and requests one more of upstream in its place.
  case skip
  /// Delivers this value, cancels upstream, and finishes.
  case emitLast(Output)
  /// Delivers nothing yet: the value will be part of one that was requested.
  case hold
  /// Cancels upstream, and finishes.
  case finish
}

/// How upstream's failure, and the error that a rule throws, become downstream's failure.
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

/// The parts of an operator with one upstream that a mirror may show.
@usableFromInline
package struct ReflectedParts<Memory> {
  package let downstream: Any
  package let upstream: (any Subscription)?
  /// The memory of the rule; `nil` while a value is handled, perhaps on another thread.
  package let memory: Memory?
  /// The state of the stream.
  package let status: String
}
