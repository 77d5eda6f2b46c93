internal import Streams

/// One list in which the parts of a test write down what happens to them, in the order in which it happens.
///
/// Give the same journal to a ``Script`` and a ``Recorder`` to see who did what first:
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

  /// Everything noted so far.
  public var lines: [String] { content.withLock { $0 } }

  /// Adds one line.
  public func note(_ line: String) { content.withLock { $0.append(line) } }

  /// True if both lines are there, and the first `earlier` stands above the first `later`.
  public func has(_ earlier: String, before later: String) -> Bool {
    let lines = lines
    guard let first = lines.firstIndex(of: earlier), let second = lines.firstIndex(of: later) else {
      return false
    }
    return first < second
  }
}
