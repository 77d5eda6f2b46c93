import Interleavings

/// Programs of which it is known how many schedules they have, and what these leave behind.
extension SelfCheck {
  /// When a search has come to its end, the explorer can still be asked for the schedule.
  static func searchedOut() -> String? {
    let explorer = Explorer.shared
    explorer.begin(.exhaustive(Bounds(preemptions: 1)))
    repeat { twoWriters(3) } while explorer.advance()
    return explorer.schedule.description == "x" ? nil : "after its search it is at \(explorer.schedule)"
  }

  /// What is made once for a process, however late, is no leak. What each schedule leaves is one.
  static func leaks() -> String? {
    var kept: [Block] = []
    var schedules = 0
    func leak(_ leave: () -> Void) -> Int {
      schedules = 0
      return Exhaustion(Bounds(preemptions: 2)) {
        twoWriters(30)
        schedules += 1
        leave()
      }.leak
    }
    let none = leak {}
    let once = leak { if kept.isEmpty, schedules == 500 { kept.append(Block(1 << 16)) } }
    if none != 0 || once != 0 { return "\(none) and \(once) bytes a schedule are taken for leaks" }
    let each = leak { kept.append(Block(64)) }
    return each >= 64 ? nil : "64 bytes that each schedule leaves are taken for \(each)"
  }

  private static func twoWriters(_ writes: Int) {
    Explorer.shared.prepare()
    let object = Explorer.shared.newObject()
    let body = { for _ in 0..<writes { Explorer.shared.point(object) } }
    Explorer.shared.run([body, body])
  }

  /// Memory that is given back with this.
  private final class Block {
    private let bytes: UnsafeMutableRawPointer

    init(_ count: Int) { bytes = .allocate(byteCount: count, alignment: 16) }

    deinit { bytes.deallocate() }
  }
}
