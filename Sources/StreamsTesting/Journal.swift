internal import Streams

/// A list in which the parts of a test record their events, in order.
///
/// Give the same journal to a ``Script`` and a ``Recorder`` to see the order of their events:
///
/// ```swift
/// let journal = Journal()
/// let script = Script(Int.self, failure: Never.self, journal: journal)
/// let recorder = script.prefix { $0 < 2 }.record { $0.journal = journal }
/// script.say(2)
/// print(journal.lines)  // …, "upstream: cancel", "downstream: finished"
/// ```
public final class Journal: Sendable {
  private let content = Guarded<[String]>([])

  /// An empty journal.
  public init() {}

  /// All lines so far.
  public var lines: [String] { content.withLock { $0 } }

  /// Adds one line.
  public func note(_ line: String) { content.withLock { $0.append(line) } }

  /// True if both lines exist, and the first `earlier` precedes the first `later`.
  public func has(_ earlier: String, before later: String) -> Bool {
    let lines = lines
    guard let first = lines.firstIndex(of: earlier), let second = lines.firstIndex(of: later) else {
      return false
    }
    return first < second
  }
}
