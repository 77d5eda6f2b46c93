import Testing

import StreamImages

@Suite("Unreachable hosts") struct OriginRecordTests {
  private let start = MonotonicInstant.now

  private func at(_ seconds: Int) -> MonotonicInstant { start + .seconds(seconds) }

  /// The verdicts after attempts that began and failed at these seconds.
  private func verdicts(_ record: OriginRecord, _ attempts: [(Int, Int)]) -> [Bool] {
    var record = record
    return attempts.map { record.failed(since: at($0.0), at: at($0.1)) }
  }

  @Test("A host that was never reached is dead after the first failure")
  func neverReached() {
    #expect(verdicts(OriginRecord(), [(0, 10), (0, 10), (10, 20)]) == [true, true, true])
  }

  @Test("A host reached before is dead after three failed attempts in a row")
  func reachedBefore() {
    var record = OriginRecord()
    record.reached(at: at(0))

    let verdicts = verdicts(record, [(1, 10), (2, 11), (11, 20), (20, 30)])

    #expect(verdicts == [false, false, false, true])
  }

  @Test("A host is alive if another connection succeeded meanwhile")
  func reachedMeanwhile() {
    var record = OriginRecord()
    record.reached(at: at(5))

    let verdicts = verdicts(record, [(1, 10), (1, 10), (1, 11), (1, 12)])

    #expect(verdicts == [false, false, false, false])
  }

  @Test(
    "A connection that began when a host was reached, or before, does not make it dead; a later one counts")
  func reachedBounds() {
    for (began, counts) in [(4, false), (5, false), (6, true)] {
      var record = OriginRecord()
      record.reached(at: at(5))

      let verdicts = (0..<3).map { record.failed(since: at(began + 10 * $0), at: at(began + 10 * $0 + 5)) }

      // Three that count are needed; the first does not if it began too early.
      #expect(verdicts == [false, false, counts])
    }
  }

  @Test("Attempts that overlap with a failed one count with it, and one that begins at its end counts anew")
  func overlapping() {
    for (second, verdict) in [(9, false), (10, true), (11, true)] {
      var record = OriginRecord()
      record.reached(at: at(0))
      let first = [record.failed(since: at(1), at: at(5)), record.failed(since: at(5), at: at(10))]

      #expect(first == [false, false])
      #expect(record.failed(since: at(second), at: at(20)) == verdict)
    }
  }

  @Test("A host was reached once a connection was made, whatever fails later")
  func wasReached() {
    var record = OriginRecord()
    _ = record.failed(since: at(0), at: at(1))
    #expect(!record.wasReached)
    record.reached(at: at(2))
    for second in 3..<9 { _ = record.failed(since: at(second), at: at(second)) }
    #expect(record.wasReached)
  }
}
