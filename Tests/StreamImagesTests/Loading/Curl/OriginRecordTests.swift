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

  @Test("Samples count from the first bytes, and from when the connections were busy")
  func samples() {
    let sample = StreamWindow.Sample(byteCount: 1, announcedByteCount: 12_000, announcementCount: 1)
    func record(_ looks: [(StreamWindow.Sample, Int, busySince: Int)]) -> StreamWindow {
      var record = OriginRecord()
      for look in looks {
        record.look(
          at: look.0, at: at(look.1), busySince: at(look.busySince), starvingCount: 50, streamCount: 100,
          maximum: 100)
      }
      return record.window
    }
    let none = StreamWindow()

    // The first look only begins to measure, also without bytes.
    #expect(record([(sample, 0, busySince: 0)]) == none)
    #expect(record([(sample, 0, busySince: 0), (sample, 2, busySince: 0)]) != none)
    #expect(
      record([(StreamWindow.Sample(), 0, busySince: 0), (sample, 2, busySince: 0)])
        == record([(sample, 0, busySince: 0), (sample, 2, busySince: 0)]))
    // A look at once, or of connections that are not busy before it, measures nothing.
    #expect(record([(sample, 0, busySince: 0), (sample, 0, busySince: 0)]) == none)
    #expect(record([(sample, 0, busySince: 0), (sample, 2, busySince: 2)]) == none)
    #expect(record([(sample, 0, busySince: 0), (sample, 2, busySince: 3)]) == none)
    #expect(record([(sample, 0, busySince: 0), (StreamWindow.Sample(), 2, busySince: 0)]) == none)
  }

  @Test("Connections are looked at once, and again when the patience of their window is over")
  func looks() {
    var record = OriginRecord()
    #expect(record.mayLook(at: start))

    record.look(
      at: StreamWindow.Sample(), at: start, busySince: start, starvingCount: 0, streamCount: 0, maximum: 100)

    let patience = record.window.patience
    #expect(!record.mayLook(at: start))
    #expect(!record.mayLook(at: start + (patience - .nanoseconds(1))))
    #expect(record.mayLook(at: start + patience))
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
