internal import CThreads

/// How many of other threads' events a call handles, besides its own: until there were 64, or a millisecond has passed.
///
/// The clock is read at the first event and at each power of two, since each reading costs about what an event does. If all
/// events take the same time, a call takes about four milliseconds at most, or two events.
@frozen @usableFromInline
package struct Burst {
  @usableFromInline var number = 0
  @usableFromInline var start: UInt64 = 0
  @usableFromInline package var isOver = false
  @usableFromInline let isEndless: Bool

  private static var most: Int { 64 }
  private static var longest: UInt64 { 1_000_000 }

  @inlinable
  package init(isEndless: Bool = false) { self.isEndless = isEndless }

  /// Counts an event that was handled.
  @usableFromInline
  package mutating func count() { count(upTo: Self.most) }

  /// The same, for bursts of another size.
  package mutating func count(upTo most: Int) {
    if isEndless { return }
    number += 1
    if number & (number - 1) == 0 {
      let now = cthreads_nanoseconds()
      if start == 0 { start = now } else if now - start >= Self.longest { isOver = true }
    }
    if number >= most { isOver = true }
  }
}
