import Foundation
import StreamImages
import Testing

/// Bodies that end, fail and are cancelled after each number of chunks, and what is kept of them.
@Suite("`ResumedChunks`")
struct ResumedChunksTests {
  private let kept = Shared([Data]())

  /// Chunks of two bytes, then an error or the end.
  private func chunks(_ count: Int, then error: DataLoadingError? = nil) -> CountedChunks {
    CountedChunks(Array(repeating: Data([7, 7]), count: count), then: error)
  }

  private func body(
    _ chunks: CountedChunks, after prefix: Data? = nil, limit: Int = 100, keeps count: Int = 100
  ) -> ResumedChunks {
    ResumedChunks(chunks, after: prefix, limit: limit, keptByteCount: count) { [kept] bytes in
      kept.change { $0.append(bytes) }
    }
  }

  /// Reads to the end, and returns how many bytes there were, with the error at their end.
  private func read(_ body: ResumedChunks) async -> (count: Int, error: DataLoadingError?) {
    var count = 0
    do throws(DataLoadingError) {
      while let chunk = try await body.next() { count += chunk.count }
      return (count, nil)
    } catch {
      return (count, error)
    }
  }

  @Test("A body that has ended keeps nothing")
  func ended() async {
    for prefix in [nil, Data([1])] {
      let result = await read(body(chunks(3), after: prefix))

      #expect(result == (6 + (prefix?.count ?? 0), nil))
      #expect(kept.value.isEmpty)
    }
  }

  @Test("A body that breaks off keeps what was received, once, with what was there before")
  func broken() async throws {
    for error in [
      .truncated(received: 4, expected: 9), .connectionLost(.idle, reason: ""), .timedOut(.idle), .cancelled,
      .invalidated, .unavailable(""),
    ] as [DataLoadingError] {
      for (prefix, count) in [(nil, 2), (Data([1, 2, 3]), 2), (Data([1, 2, 3]), 0), (nil, 1)] {
        kept.change { $0 = [] }
        let body = body(chunks(count, then: error), after: prefix)

        let result = await read(body)
        body.cancel()

        #expect(result.error == error)
        #expect(kept.value == [(prefix ?? Data()) + Data(repeating: 7, count: count * 2)])
      }
    }
  }

  @Test("A body that fails for another reason keeps nothing, nor does one of which nothing has arrived")
  func failed() async {
    for error in [.badContentCoding, .protocolViolation(""), .headTooLarge] as [DataLoadingError] {
      let result = await read(body(chunks(2, then: error), after: Data([1])))
      #expect(result == (5, error))
    }
    let nothing = await read(body(chunks(0, then: .timedOut(.idle))))

    #expect(nothing == (0, .timedOut(.idle)))
    #expect(kept.value.isEmpty)
  }

  @Test("A body up to the limit is delivered; with a byte more, it is cancelled, and nothing is kept")
  func limit() async {
    for (limit, isAllowed) in [(6, false), (7, true), (8, true)] {
      let source = chunks(3)
      let result = await read(body(source, after: Data([1]), limit: limit))

      #expect(result.error == (isAllowed ? nil : .tooLarge(limit: limit, announced: nil)))
      #expect(result.count == (isAllowed ? 7 : 5))
      #expect(source.cancellations.value == (isAllowed ? 0 : 1))
    }
    for (limit, isAllowed) in [(3, false), (4, true), (5, true)] {
      let result = await read(body(chunks(2), limit: limit))
      #expect(result.error == (isAllowed ? nil : .tooLarge(limit: limit, announced: nil)))
    }
    #expect(kept.value.isEmpty)
  }

  @Test("A beginning that is longer than what may be kept is not kept")
  func longest() async {
    for (count, isKept) in [(4, false), (5, true), (6, true)] {
      kept.change { $0 = [] }

      _ = await read(body(chunks(2, then: .timedOut(.idle)), after: Data([1]), keeps: count))

      #expect(kept.value.map(\.count) == (isKept ? [5] : []))
    }
  }

  @Test("A body that is cancelled or released keeps what was received")
  func cancelled() async throws {
    let source = chunks(3)
    let read = body(source, after: Data([1]))
    for _ in 0..<2 { _ = try await read.next() }
    read.cancel()
    #expect(kept.value == [Data([1, 7, 7])])
    #expect(source.cancellations.value == 1)

    kept.change { $0 = [] }
    do {
      let released = body(chunks(3), after: Data([2]))
      for _ in 0..<2 { _ = try await released.next() }
    }
    #expect(kept.value == [Data([2, 7, 7])])

    kept.change { $0 = [] }
    do { _ = body(chunks(3), after: Data([3])) }
    #expect(kept.value == [Data([3])])
  }
}
