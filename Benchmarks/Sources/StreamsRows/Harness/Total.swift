/// A place for a sum: what the closures at the end of a chain do, and as little as can be.
final class Total: @unchecked Sendable {  // one thread at a time adds, as the contract says
  @exclusivity(unchecked)  // a check would cost more than many a library under test
  private(set) var value = 0

  @inline(__always)
  func add(_ other: Int) { value &+= other }
}

/// What `run` adds up.
@inline(__always)
func sum(_ run: (Total) -> Void) -> Int {
  let total = Total()
  run(total)
  return total.value
}
