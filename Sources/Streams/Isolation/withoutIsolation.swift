/// The same closure, to be called from where its isolation has been seen to.
///
/// A function value that carries its isolation has the layout of one that does not; only the type differs. In a
/// struct of its own it keeps its calling convention: a bare one would be wrapped, and wrapping allocates.
@inlinable @inline(__always)
package func withoutIsolation<Argument>(_ closure: @escaping @isolated(any) (Argument) -> Void) -> (Argument)
  -> Void
{
  unsafeBitCast(IsolatedCall(call: closure), to: PlainCall<Argument>.self).call
}

@inlinable @inline(__always)
package func withoutIsolation(_ closure: @escaping @isolated(any) () -> Void) -> () -> Void {
  unsafeBitCast(IsolatedAction(call: closure), to: PlainAction.self).call
}

package func withoutIsolation<Result>(
  _ closure: @escaping @isolated(any) @Sendable () -> Result
) -> @Sendable () -> Result {
  unsafeBitCast(closure, to: (@Sendable () -> Result).self)
}

@frozen @usableFromInline
struct IsolatedCall<Argument> {
  @usableFromInline let call: @isolated(any) (Argument) -> Void

  @inlinable
  init(call: @escaping @isolated(any) (Argument) -> Void) { self.call = call }
}

@frozen @usableFromInline
struct PlainCall<Argument> {
  @usableFromInline let call: (Argument) -> Void
}

@frozen @usableFromInline
struct IsolatedAction {
  @usableFromInline let call: @isolated(any) () -> Void

  @inlinable
  init(call: @escaping @isolated(any) () -> Void) { self.call = call }
}

@frozen @usableFromInline
struct PlainAction {
  @usableFromInline let call: () -> Void
}
