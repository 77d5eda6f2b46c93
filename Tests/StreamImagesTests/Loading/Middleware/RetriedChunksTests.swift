import Dispatch
import Foundation
import StreamImages
import StreamsExtras
import StreamsFoundationExtras
import StreamsTesting
import Testing

/// Bodies that break off after each number of bytes, and other responses that continue them.
@Suite("Continued bodies", .timeLimit(.minutes(1))) struct RetriedChunksTests {
  /// Answers with the responses of a list.
  private final class List: DataLoading {
    private let rest: Shared<ArraySlice<LoadedData>>
    let count = Shared(0)

    init(_ responses: [LoadedData]) { rest = Shared(responses[...]) }

    func load(_ request: DataRequest, limits: LoadLimits) async throws(DataLoadingError) -> LoadedData {
      count.change { $0 += 1 }
      var next: LoadedData?
      rest.change { next = $0.popFirst() }
      guard let next else { throw .cannotResolve(host: "none") }
      return next
    }
  }

  private let url = URL(string: "https://a.example/a")!
  private let broken = DataLoadingError.timedOut(.idle)

  private func head(_ tag: String? = "\"1\"", _ change: (inout LoadedHead) -> Void = { _ in }) -> LoadedHead {
    var head = LoadedHead(url: url)
    head.headers["ETag"] = tag
    change(&head)
    return head
  }

  private func retrying(_ list: List, _ count: Int = 2) -> any DataLoading {
    list.with(RetryMiddleware(maximumRetryCount: count, backoff: .constant(.zero), jitter: 0))
  }

  /// Bytes that tell their place, in chunks of such sizes.
  private func chunks(_ sizes: [Int]) -> [Data] {
    var place: UInt8 = 0
    return sizes.map { size in
      defer { place += UInt8(size) }
      return Data((0..<size).map { place + UInt8($0) })
    }
  }

  private func read(_ loader: any DataLoading, _ request: DataRequest) async -> (
    bytes: [UInt8], error: DataLoadingError?
  ) {
    var bytes: [UInt8] = []
    do throws(DataLoadingError) {
      let body = try await loader.load(request, limits: LoadLimits()).body
      while let chunk = try await body.next() { bytes += chunk }
      return (bytes, nil)
    } catch {
      return (bytes, error)
    }
  }

  @Test("A body continues where it broke off, wherever that is in the chunks of the next response")
  func places() async {
    for first in [[], [1], [2], [3], [3, 2], [1, 1, 1], [10]] {
      for second in [[10], [1, 9], [3, 7], [2, 3, 5], Array(repeating: 1, count: 10)] {
        // The second one breaks off as well, when it has delivered as much, or more.
        for isBroken in [false, true] {
          let list = List([
            LoadedData(head: head(), body: CountedChunks(chunks(first), then: broken)),
            LoadedData(head: head(), body: CountedChunks(chunks(second), then: isBroken ? broken : nil)),
            LoadedData(head: head(), body: CountedChunks(chunks([4, 6]))),
          ])

          let result = await read(retrying(list), DataRequest(url: url))

          #expect(result.bytes == Array(0..<10) && result.error == nil)
          #expect(list.count.value == (isBroken ? 3 : 2))
        }
      }
    }
  }

  @Test("A response that is shorter than what was delivered is another one")
  func shorter() async {
    for (sizes, isSame) in [([], false), ([4], false), ([5], true), ([2, 3], true)] {
      let list = List([
        LoadedData(
          head: head { $0.expectedByteCount = 9 }, body: CountedChunks(chunks([5]), then: broken)),
        LoadedData(head: head(), body: CountedChunks(chunks(sizes))),
      ])

      let result = await read(retrying(list, 1), DataRequest(url: url))

      #expect(result.bytes == Array(0..<5))
      #expect(result.error == (isSame ? nil : .truncated(received: 5, expected: 9)))
    }
  }

  @Test(
    "A body is continued by the same version at the same URL, without coding; an unread one needs an equal tag"
  )
  func versions() async {
    let plain = head()
    let (signed, other) = (URL(string: "https://a.example/a?b")!, URL(string: "https://a.example/b")!)
    let (three, four) = (head { $0.expectedByteCount = 3 }, head { $0.expectedByteCount = 4 })
    for (first, second, count, isSame) in [
      (plain, plain, 1, true), (plain, head("\"2\""), 1, false), (plain, head("\"2\""), 0, false),
      (plain, head(nil), 1, false), (head(nil), head(nil), 1, false), (head(nil), head(nil), 0, true),
      (plain, head(nil), 0, false), (head(nil), plain, 0, false),
      (head("W/\"1\""), head("W/\"2\""), 0, false),
      (head("W/\"1\""), head("W/\"1\""), 0, true), (head("W/\"1\""), head("W/\"1\""), 1, false),
      (plain, head { $0.status = 203 }, 1, false),
      (plain, head { $0.status = 203 }, 0, false), (plain, head { $0.isContentCoded = true }, 0, false),
      (head { $0.isContentCoded = true }, plain, 0, false),
      (plain, head { $0.url = signed }, 1, true), (plain, head { $0.url = other }, 1, false),
      (plain, head { $0.url = other }, 0, true), (three, three, 1, true), (four, three, 1, false),
      (three, plain, 1, true), (plain, three, 1, true),
    ] {
      let other = CountedChunks(chunks([3]))
      let list = List([
        LoadedData(head: first, body: CountedChunks(chunks(count == 0 ? [] : [count]), then: broken)),
        LoadedData(head: second, body: other),
      ])

      let result = await read(retrying(list), DataRequest(url: url))

      #expect(result.error == (isSame ? nil : broken))
      #expect(result.bytes.count == (isSame ? 3 : count))
      // What could not be continued by any response is not requested again.
      let mayBe = !first.isContentCoded && (count == 0 || first.headers["ETag"] == "\"1\"")
      #expect(other.cancellations.value == (isSame || !mayBe ? 0 : 1))
      #expect(list.count.value == (mayBe ? 2 : 1))
    }
  }

  @Test("Only the body of a GET without a range is continued")
  func requests() async {
    let range: HeaderFields = ["Range": "bytes=0-"]
    for (request, isContinued) in [
      (DataRequest(url: url), true), (DataRequest(url: url, method: .put), false),
      (DataRequest(url: url, method: .head), false), (DataRequest(url: url, headers: range), false),
    ] {
      let list = List([
        LoadedData(head: head(), body: CountedChunks(chunks([1]), then: broken)),
        LoadedData(head: head(), body: CountedChunks(chunks([3]))),
      ])

      let result = await read(retrying(list), request)

      #expect(result.error == (isContinued ? nil : broken) && list.count.value == (isContinued ? 2 : 1))
    }
  }

  @Test("A body that is cancelled is not continued, whatever its error is and whatever is worth a retry")
  func cancelled() async throws {
    for error in [DataLoadingError.cancelled, broken] {
      let chunks = CountedChunks(chunks([1]), then: error)
      let list = List([LoadedData(head: head(), body: chunks)])
      let loader = list.with(
        RetryMiddleware(backoff: .constant(.zero), jitter: 0, isWorthwhile: { _ in true }))
      let body = try await loader.load(DataRequest(url: url), limits: LoadLimits()).body
      #expect(try await body.next()?.count == 1)

      body.cancel()
      #expect(chunks.cancellations.value == 1)
      let found = await failure { () throws(DataLoadingError) in try await body.next() }

      #expect(found == error && list.count.value == 1)
    }
    // By its loader, although nobody has cancelled it.
    let list = List([
      LoadedData(head: head(), body: CountedChunks([], then: .cancelled)),
      LoadedData(head: head(), body: CountedChunks([])),
    ])
    let loader = list.with(RetryMiddleware(backoff: .constant(.zero), isWorthwhile: { _ in true }))
    let result = await read(loader, DataRequest(url: url))
    #expect(result.error == .cancelled && list.count.value == 1)
  }

  @Test("Cancelling the task that reads ends the wait for another response")
  func cancelledTask() async throws {
    let scheduler = DispatchQueue.test
    let list = List([LoadedData(head: head(), body: CountedChunks([], then: broken))])
    let loader = list.with(RetryMiddleware(scheduler: scheduler.eraseToAnyScheduler()))
    let body = try await loader.load(DataRequest(url: url), limits: LoadLimits()).body
    let task = Task { await failure { () throws(DataLoadingError) in try await body.next() } }
    await until { scheduler.pending > 0 }

    task.cancel()

    #expect(await task.value == .cancelled)
    #expect(list.count.value == 1)
  }

  @Test("Retries before the head count towards those of the body")
  func counted() async {
    final class Late: DataLoading {
      let list: List

      init(_ list: List) { self.list = list }

      func load(_ request: DataRequest, limits: LoadLimits) async throws(DataLoadingError) -> LoadedData {
        let loaded = try await list.load(request, limits: limits)
        if list.count.value == 1 { throw .timedOut(.firstByte) }
        return loaded
      }
    }
    for (retries, isEnough) in [(1, false), (2, true)] {
      let responses = (0..<3).map { number in
        LoadedData(head: head(), body: CountedChunks(chunks([2]), then: number < 2 ? broken : nil))
      }
      let loader = Late(List(responses)).with(
        RetryMiddleware(maximumRetryCount: retries, backoff: .constant(.zero), jitter: 0))

      let result = await read(loader, DataRequest(url: url))

      #expect(result.error == (isEnough ? nil : broken))
    }
  }
}
