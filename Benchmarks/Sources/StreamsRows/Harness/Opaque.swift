/// A closure that the optimiser cannot see through, as an operator's argument is in real life.
@inline(never)
func opaque<Argument, Result>(
  _ closure: @escaping @Sendable (Argument) -> Result
) -> @Sendable (Argument) -> Result { closure }

/// The same for one of two arguments.
@inline(never)
func opaque<First, Second, Result>(
  _ closure: @escaping @Sendable (First, Second) -> Result
) -> @Sendable (First, Second) -> Result { closure }

let triple = opaque { (value: Int) in value &* 3 }
let isEven = opaque { (value: Int) in value & 1 == 0 }
let always = opaque { (_: Int) in true }
let add = opaque { (first: Int, second: Int) in first &+ second }

struct Broken: Error {}

/// What several threads may have, whatever its library says: a subject.
struct Shared<Value>: @unchecked Sendable {  // used only for what takes calls from any thread
  let value: Value

  init(_ value: Value) { self.value = value }
}
