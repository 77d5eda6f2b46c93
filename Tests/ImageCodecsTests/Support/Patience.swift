/// The context of a function in C that asks whether to go on: so often yes, and then no.
struct Patience {
  let allowed: Int
  private(set) var asked = 0

  init(allowed: Int) { self.allowed = allowed }

  static let ask: @convention(c) @Sendable (UnsafeMutableRawPointer?) -> Bool = { context in
    guard let patience = context?.assumingMemoryBound(to: Patience.self) else { return false }
    patience.pointee.asked += 1
    return patience.pointee.asked <= patience.pointee.allowed
  }
}
