/// A file that compiles shows that `Value` is `Sendable`.
func requireSendable<Value: Sendable>(_: Value.Type) {}

/// A value that belongs to whoever made it.
final class Unshared {}
