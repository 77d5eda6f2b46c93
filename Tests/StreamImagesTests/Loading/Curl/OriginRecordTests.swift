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

  @Test("The rate of a slow link includes pauses between records and excludes idle time")
  func silence() {
    var record = OriginRecord()
    let burst = StreamWindow.Sample(byteCount: 8_000, announcedByteCount: 12_000, announcementCount: 1)
    func look(_ milliseconds: Int, busySince second: Int) {
      let now = start + .milliseconds(milliseconds)
      guard record.mayLook(at: now) else { return }
      record.look(
        at: milliseconds % 2000 == 0 ? burst : StreamWindow.Sample(), at: now, busySince: at(second),
        starvingCount: 50, streamCount: 100, maximum: 100)
    }

    look(0, busySince: -1)
    // A minute later, a request, and then 8 KB each two seconds.
    for tick in 0...80 { look(60_000 + 250 * tick, busySince: 58) }

    #expect(record.window.count(in: 29) == 10)
  }
}
