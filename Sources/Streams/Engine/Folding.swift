/// The rule of an operator that answers one value, when upstream ends or before.
@usableFromInline
package protocol Folding<Input, Output> {
  associatedtype Input
  associatedtype Output
  associatedtype Thrown: Error
  associatedtype Memory

  /// The operator's name, as `print()` and the debugger show it.
  static var name: String { get }

  /// What `request(.none)` does to this operator, as in Combine.
  static var zeroDemand: ZeroDemand { get }

  /// What is known before the first value.
  var initial: Memory { get }

  /// Takes a value in. True if the answer is known: then upstream is cancelled.
  func receive(_ input: Input, _ memory: inout Memory) throws(Thrown) -> Bool

  /// The answer, if there is one.
  func result(_ memory: Memory) -> Output?

  /// What a mirror shows, as in Combine.
  func children(_ parts: ReflectedParts<Memory>) -> [Mirror.Child]
}

extension Folding {
  @inlinable package static var zeroDemand: ZeroDemand { .traps }

  @usableFromInline package func children(_ parts: ReflectedParts<Memory>) -> [Mirror.Child] {
    [
      ("downstream", parts.downstream), ("result", parts.memory.flatMap { result($0) } as Any),
      ("initial", result(initial) as Any), ("status", parts.status),
    ]
  }
}
