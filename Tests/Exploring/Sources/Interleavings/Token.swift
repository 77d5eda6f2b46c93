/// Counts what is alive: after a schedule, nothing is (law X11).
public final class Token: Sendable {
  // Unsafe: one thread only.
  public nonisolated(unsafe) static var live = 0

  public init() { Self.live += 1 }

  deinit {
    Self.live -= 1
    Explorer.shared.checkNoLockIsHeld("the deinit of a value")
  }
}
