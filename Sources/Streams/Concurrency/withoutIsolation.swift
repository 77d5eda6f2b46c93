/// The same closure, to be called from where its isolation has been seen to.
///
/// A function value that carries its isolation has the layout of one that does not; only the type differs.
@inlinable
func withoutIsolation<Argument>(_ closure: @escaping @isolated(any) (Argument) -> Void) -> (Argument) -> Void
{
  unsafeBitCast(closure, to: ((Argument) -> Void).self)
}

@inlinable
func withoutIsolation(_ closure: @escaping @isolated(any) () -> Void) -> () -> Void {
  unsafeBitCast(closure, to: (() -> Void).self)
}

func withoutIsolation<Result>(
  _ closure: @escaping @isolated(any) @Sendable () -> Result
) -> @Sendable () -> Result {
  unsafeBitCast(closure, to: (@Sendable () -> Result).self)
}
