/// What a stage remembers, by reference.
///
/// The engine copies a stage's memory out, hands it to the rule and stores it back, since the rule may call user code
/// that sends again. An array that is copied so is copied whole as soon as it grows: n values would cost n².
@usableFromInline
final class Pocket<Value> {
  @exclusivity(unchecked)  // by upstream's serial signals, and by rules that call no user code meanwhile
  @usableFromInline var value: Value

  @inlinable
  init(_ value: Value) { self.value = value }
}
