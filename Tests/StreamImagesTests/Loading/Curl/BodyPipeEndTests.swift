import Foundation
import StreamImages
import Testing

/// How a buffer ends, and what its consumers get then.
@Suite("Ends of buffers", .timeLimit(.minutes(1))) struct BodyPipeEndTests {
  private let bench = PipeBench()

  @Test("The first ending counts, and one without a head fails the head as well")
  func endings() {
    let (lost, late) = (DataLoadingError.timedOut(.idle), DataLoadingError.timedOut(.total))
    let none = DataLoadingError.protocolViolation("no head")
    for (hasHead, failures, head, next, whole) in [
      (false, [nil, nil], .failed(none), .bytes(nil), .failed(none)),
      (false, [lost, late], .failed(lost), .failed(lost), .failed(lost)),
      (true, [nil, lost], .head(status: 200), .bytes(nil), .whole(0)),
      (true, [lost, nil], .head(status: 200), .failed(lost), .failed(lost)),
    ] as [(Bool, [DataLoadingError?], PipeBench.Outcome, PipeBench.Outcome, PipeBench.Outcome)] {
      let pipe = bench.pipe()
      if hasHead { pipe.deliver(bench.head()) }
      for failure in failures { pipe.finish(failure) }
      pipe.deliver(bench.head(404))

      #expect(bench.head(pipe).value == head)
      #expect(bench.next(pipe).value == next)
      #expect(bench.whole(pipe).value == whole)
    }
    #expect(bench.source.resumed.value == 0)
  }

  @Test("Bytes are delivered before an error, but not with the whole")
  func bytesFirst() {
    let pipe = bench.pipe()
    pipe.deliver(bench.head())
    _ = bench.append(2, to: pipe)
    pipe.finish(.timedOut(.idle))

    #expect(bench.whole(pipe).value == .failed(.timedOut(.idle)))
    #expect(bench.next(pipe).value == .bytes(2))
    #expect(bench.next(pipe).value == .failed(.timedOut(.idle)))
  }

  @Test("Cancelling drops bytes and stops what still runs, and changes nothing of what is over")
  func cancelled() {
    for (count, isEnded, outcome, cancellations) in [
      (0, false, .failed(.cancelled), 1), (2, false, .failed(.cancelled), 1),
      (2, true, .failed(.cancelled), 0), (0, true, .bytes(nil), 0),
    ] as [(Int, Bool, PipeBench.Outcome, Int)] {
      bench.source.cancelled.change { $0 = 0 }
      let pipe = bench.pipe()
      pipe.deliver(bench.head())
      if count > 0 { _ = bench.append(count, to: pipe) }
      if isEnded { pipe.finish(nil) }

      for _ in 0..<2 { pipe.cancel() }

      #expect(bench.source.cancelled.value == cancellations)
      #expect(bench.next(pipe).value == outcome)
      #expect(bench.head(pipe).value == .head(status: 200))
    }
  }

  @Test("Cancelling resumes all who wait")
  func cancelledWhileWaiting() {
    let pipe = bench.pipe()
    let outcomes = (0..<3).map { _ in bench.next(pipe) }

    pipe.cancel()
    #expect(bench.executor.count == 3)
    bench.executor.run()

    #expect(outcomes.map(\.value) == Array(repeating: .failed(.cancelled), count: 3))
  }

  @Test("A task that is cancelled gets no bytes, whether it waits or finds some", arguments: [false, true])
  func cancelledTask(isThere: Bool) async {
    let (pipe, executor) = (bench.pipe(), bench.executor)
    if isThere { _ = bench.append(2, to: pipe) }
    let task = Task(executorPreference: executor) {
      await failure { () throws(DataLoadingError) in try await pipe.next() }
    }
    if !isThere { bench.executor.run() }

    task.cancel()
    bench.executor.run()

    #expect(await task.value == .cancelled)
    #expect(bench.source.cancelled.value == 1)
  }

  @Test("Bytes before the head are forgotten when the request is sent again, and those after it are kept")
  func discarded() {
    for hasHead in [false, true] {
      let pipe = bench.pipe()
      if hasHead { pipe.deliver(bench.head()) }
      _ = bench.append(2, to: pipe)

      pipe.discard()
      _ = bench.append(1, to: pipe)

      #expect(bench.next(pipe).value == .bytes(hasHead ? 3 : 1))
    }
  }

  @Test("No memory is reserved because a server announces a large body")
  func announced() {
    for count in [nil, 0, 1 << 62] as [Int?] {
      let pipe = bench.pipe()
      pipe.expect(count)

      #expect(bench.append(1, to: pipe) == .plenty && bench.next(pipe).value == .bytes(1))
    }
  }
}
