internal import CShards
public import Interleavings

/// All schedules of something, one after another, and what they have left behind.
public struct Exhaustion {
  /// How many there may be.
  public static let most = 2_000_000

  public private(set) var schedules = 0
  /// By how many bytes a schedule memory grows for good; zero if that is nothing to speak of.
  public private(set) var leak = 0

  /// Runs through them all, or to the first in which something goes wrong.
  ///
  /// The runtime makes some things once for a process, and late: the type of what only a rare schedule does. That is
  /// in blocks of 16 KiB. So if memory has grown, all is run through once more: only a leak grows again.
  public init(_ bounds: Bounds, _ play: () -> Void) {
    if let first = run(bounds, play), Self.isMuch(first, schedules),
      let second = run(bounds, play), Self.isMuch(second, schedules)
    {
      leak = second / schedules
    }
  }

  /// Bytes that the schedules from the hundredth on have left. `nil` if something went wrong.
  private mutating func run(_ bounds: Bounds, _ play: () -> Void) -> Int? {
    let explorer = Explorer.shared
    explorer.begin(.exhaustive(bounds))
    schedules = 0
    var allocated: Int64 = 0
    repeat {
      play()
      schedules += 1
      if schedules == 100 { allocated = cshards_allocated() }
    } while explorer.violation == nil && schedules < Self.most && explorer.advance()
    return explorer.violation == nil ? Int(cshards_allocated() - allocated) : nil
  }

  private static func isMuch(_ bytes: Int, _ schedules: Int) -> Bool {
    schedules > 1000 && bytes > schedules * 8
  }
}
