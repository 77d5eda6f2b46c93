import Synchronization

public final class HighScore: Sendable {
  private let best = Atomic<Int>(0)

  public init() {}

  public var value: Int { best.load(ordering: .acquiring) }

  public func record(_ score: Int) {
    if score > best.load(ordering: .relaxed) {
      best.store(score, ordering: .releasing)
    }
  }
}
