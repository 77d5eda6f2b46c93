/// Carries a value that is not `Sendable` to the place where it is used next.
///
/// Each use states why the value is in one place at a time. A search for `Transfer(` finds all uses.
struct Transfer<Value>: @unchecked Sendable {  // see the reasons where it is made
  let value: Value

  init(_ value: Value) { self.value = value }
}
