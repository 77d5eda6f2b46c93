/// One workload, and how many instructions a value of it may take.
///
/// A value path that loses its specialisation (one `@inlinable` forgotten is enough) takes 10 to 80 times more. The
/// limit is 1.3 times what the workload takes when all is well. Instructions, and not time: a count is the same whatever
/// else the machine does.
struct Floor: Sendable {
  let row: Row

  /// `run` sends about `count` values, and answers a checksum so that nothing is optimised away.
  init(_ name: String, limit: Int, _ run: @escaping @Sendable (_ count: Int) -> Int) {
    row = Row(name, "\(limit)", run)
  }
}

/// What a careful programmer would write by hand: three closures, called in a loop.
let reference = Floor("reference: three closures in a loop", limit: 160) { count in
  var sum = 0
  let add = opaqueSink { (value: Int) in sum &+= value }
  for value in 0..<count {
    let tripled = triple(value)
    if isEven(tripled) { add(tripled) }
  }
  return sum
}

/// A closure that the optimiser cannot see through, and that keeps a sum.
@inline(never)
private func opaqueSink(_ closure: @escaping (Int) -> Void) -> (Int) -> Void { closure }
