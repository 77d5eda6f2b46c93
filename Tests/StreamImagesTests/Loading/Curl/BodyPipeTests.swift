import Foundation
import StreamImages
import Testing

/// What a buffer has room for, and whom it resumes.
@Suite("Buffers of bodies", .timeLimit(.minutes(1))) struct BodyPipeTests {
  private let bench = PipeBench()

  @Test("A buffer has room below its limit, which is one byte at least, and always after the end")
  func room() {
    for (limit, count, isFull) in [
      (4, 3, false), (4, 4, true), (4, 5, true), (0, 0, false), (0, 1, true), (-1, 0, false), (-1, 1, true),
    ] {
      let pipe = bench.pipe(limit)
      let room: BodyPipe.Room = isFull ? .none : .plenty

      #expect(bench.append(count, to: pipe) == room)
      #expect(pipe.flush() == room)
      pipe.finish(nil)
      #expect(pipe.flush() == .plenty)
      #expect(bench.append(1, to: pipe) == nil)
      #expect(bench.next(pipe).value == .bytes(count == 0 ? nil : count))
      #expect(bench.next(pipe).value == .bytes(nil))
    }
  }

  @Test("A transfer that was paused is resumed once, when its bytes are taken")
  func resumed() {
    let pipe = bench.pipe()
    pipe.deliver(bench.head())
    _ = bench.append(3, to: pipe)
    #expect(pipe.flush() == .plenty)
    #expect(bench.next(pipe).value == .bytes(3))
    #expect(bench.source.resumed.value == 0)

    _ = bench.append(4, to: pipe)
    #expect(pipe.flush() == .none)
    #expect(bench.head(pipe).value == .head(status: 200))
    #expect(bench.source.resumed.value == 0)
    #expect(bench.next(pipe).value == .bytes(4))
    #expect(bench.source.resumed.value == 1)

    _ = bench.append(1, to: pipe)
    #expect(bench.next(pipe).value == .bytes(1))
    #expect(bench.source.resumed.value == 1)
  }

  @Test(
    "A full buffer does not pause its transfer if somebody waits for the bytes, and not for anything else")
  func waiting() {
    for (consumer, isPaused) in [(bench.next, false), (bench.head, true), (bench.whole, true)]
      as [((BodyPipe) -> Shared<PipeBench.Outcome?>, Bool)]
    {
      let pipe = bench.pipe()
      let outcome = consumer(pipe)
      _ = bench.append(4, to: pipe)

      #expect(pipe.flush() == (isPaused ? .none : .plenty))
      bench.executor.run()

      #expect(outcome.value == (isPaused ? nil : .bytes(4)))
      pipe.cancel()
      bench.executor.run()
    }
  }

  @Test("Bytes resume one of those who wait for them, and the end all others")
  func several() {
    let pipe = bench.pipe()
    let outcomes = (0..<5).map { _ in bench.next(pipe) }

    for number in 1...2 {
      _ = bench.append(number, to: pipe)
      _ = pipe.flush()
      #expect(bench.executor.count == 1)
      bench.executor.run()
      #expect(outcomes.map(\.value).filter { $0 != nil }.count == number)
    }
    pipe.finish(nil)
    #expect(bench.executor.count == 3)
    bench.executor.run()

    #expect(outcomes.map(\.value) == [.bytes(1), .bytes(2), .bytes(nil), .bytes(nil), .bytes(nil)])
    #expect(bench.executor.count == 0)
  }

  @Test("A consumer of the whole is resumed once, at the end, and takes all bytes")
  func onceForAll() {
    let pipe = bench.pipe(100)
    let outcome = bench.whole(pipe)
    pipe.deliver(bench.head())
    for _ in 0..<3 {
      _ = bench.append(2, to: pipe)
      _ = pipe.flush()
      #expect(bench.executor.count == 0)
    }

    pipe.finish(nil)
    #expect(bench.executor.count == 1)
    bench.executor.run()

    #expect(outcome.value == .whole(6))
    #expect(bench.whole(pipe).value == .whole(0))
  }

  @Test("A consumer of the head is resumed by it, and not by bytes")
  func headFirst() {
    let pipe = bench.pipe()
    let outcome = bench.head(pipe)
    _ = bench.append(1, to: pipe)
    _ = pipe.flush()
    #expect(bench.executor.count == 0)

    pipe.deliver(bench.head())
    pipe.deliver(bench.head(500))
    _ = pipe.flush()
    bench.executor.run()

    #expect(outcome.value == .head(status: 200) && bench.head(pipe).value == .head(status: 200))
  }
}
