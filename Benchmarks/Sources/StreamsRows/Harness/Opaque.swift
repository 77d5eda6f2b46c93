/// A closure that the optimiser cannot see through, as an operator's argument is in real life.
@inline(never)
func opaque<Argument, Result>(
  _ closure: @escaping @Sendable (Argument) -> Result
) -> @Sendable (Argument) -> Result { closure }

/// A number that is known at run time only.
@inline(never)
func opaque(_ number: Int) -> Int { Int(CommandLine.argc) &* number / Int(CommandLine.argc) }

let triple = opaque { (value: Int) in value &* 3 }
let isEven = opaque { (value: Int) in value & 1 == 0 }

struct Broken: Error {}

/// What several threads may have, whatever its library says: a subject.
struct Shared<Value>: @unchecked Sendable {  // used only for what takes calls from any thread
  let value: Value

  init(_ value: Value) { self.value = value }
}
