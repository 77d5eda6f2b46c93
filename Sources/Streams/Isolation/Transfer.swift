/// Carries a value that is not `Sendable` to the place where it is used next.
///
/// Each use states why the value is in one place at a time. A search for `Transfer(` finds all uses.
package struct Transfer<Value>: @unchecked Sendable {  // see the reasons where it is made
  package let value: Value

  package init(_ value: Value) { self.value = value }
}
