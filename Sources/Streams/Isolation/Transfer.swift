/// Carries what is not `Sendable` to where it is used next.
///
/// Each use says why it is in one place at a time: searching for `Transfer(` finds them all.
struct Transfer<Value>: @unchecked Sendable {  // see the reasons where it is made
  let value: Value

  init(_ value: Value) { self.value = value }
}
