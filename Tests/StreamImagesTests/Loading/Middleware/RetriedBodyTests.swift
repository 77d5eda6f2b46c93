import Dispatch
import Foundation
import LoopbackServer
import StreamImages
import StreamsExtras
import StreamsTesting
import Testing

@Suite("Retrying interrupted bodies", .inRealTime, .timeLimit(.minutes(20)))
struct RetriedBodyTests {
  private let whole = pattern(200_000)

  private func whole(_ tag: String? = "\"1\"") -> Reply {
    .bytes(whole).with { ($0.entityTag, $0.acceptsRanges) = (tag, true) }
  }

  private func broken(_ tag: String? = "\"1\"", after count: Int = 100_000) -> Reply {
    whole(tag).with { $0.fault = .close(afterBodyBytes: count) }
  }

  private func load(
    _ replies: [Reply], resuming: Bool = false, _ method: DataRequest.Method = .get
  ) async throws -> (body: Data?, error: DataLoadingError?, ranges: [String?]) {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("/a", inTurn: replies)
    var configuration = CurlLoader.Configuration()
    configuration.proxy = .none
    let network = CurlLoader(configuration)
    defer { network.invalidate() }
    let below: any DataLoading = resuming ? ResumableLoader(network) : network
    let loader = below.with(RetryMiddleware(maximumRetryCount: 2, backoff: .constant(.zero), jitter: 0))
    let body = Shared<Data?>(nil)
    let error = await failure { () throws(DataLoadingError) in
      let loaded = try await loader.data(for: DataRequest(url: server.url("/a"), method: method)).body
      body.change { $0 = loaded }
    }
    return (body.value, error, server.requests.map { $0[header: "Range"] })
  }

  @Test("An interrupted body continues without gaps or repetition if its version is unchanged")
  func same() async throws {
    let result = try await load([broken(), broken(after: 150_000), whole()])

    #expect(result.body == whole)
    #expect(result.ranges == [nil, nil, nil])
  }

  @Test("An interrupted body continues from its last byte with a resumable loader")
  func resumed() async throws {
    let result = try await load([broken(), whole()], resuming: true)

    #expect(result.body == whole)
    #expect(result.ranges.count == 2)
    #expect(result.ranges.last??.hasPrefix("bytes=") == true)
  }

  @Test(
    "An interrupted body fails if the new response may be another version, and is not requested again if any would be",
    arguments: [("\"1\"", "\"2\"", 2), ("W/\"1\"", "W/\"1\"", 1), (nil, nil, 1), ("\"1\"", nil, 2)]
      as [(String?, String?, Int)])
  func other(_ first: String?, _ second: String?, _ count: Int) async throws {
    let result = try await load([broken(first), whole(second)])

    #expect(result.body == nil)
    if case .truncated = result.error {} else { unexpected(result.error) }
    #expect(result.ranges.count == count)
  }

  @Test("An interrupted body is requested at most as often as allowed")
  func tooOften() async throws {
    let result = try await load([broken()])

    #expect(result.body == nil)
    if case .truncated = result.error {} else { unexpected(result.error) }
    #expect(result.ranges.count == 3)
  }

  @Test("A failed body repeats its error without another request")
  func again() async throws {
    try await withLoopback { server, network async throws in
      server.serve("/a", broken())
      let loader = network.with(RetryMiddleware(maximumRetryCount: 1, backoff: .constant(.zero)))
      let body = try await loader.load(DataRequest(url: server.url("/a"))).body

      var errors: [DataLoadingError?] = []
      for _ in 0..<3 {
        errors.append(
          await failure { () throws(DataLoadingError) in while try await body.next() != nil {} })
      }

      #expect(Set(errors).count == 1)
      #expect(server.requests.count == 2)
    }
  }

  @Test("Cancelling a body during the wait ends it without another request")
  func cancelledInPause() async throws {
    try await withLoopback { server, network async throws in
      server.serve("/a", inTurn: [broken(), whole()])
      let scheduler = DispatchQueue.test
      let loader = network.with(RetryMiddleware(jitter: 0, scheduler: scheduler.eraseToAnyScheduler()))
      let body = try await loader.load(DataRequest(url: server.url("/a"))).body
      let received = Shared(0)
      let pulling = Task {
        await failure { () throws(DataLoadingError) in
          while let chunk = try await body.next() { received.change { $0 += chunk.count } }
        }
      }
      await until { scheduler.pending > 0 }

      body.cancel()
      // Only a body that goes on waiting needs it.
      await scheduler.advance(by: .seconds(1))

      #expect(await pulling.value == .cancelled)
      #expect(received.value == 100_000)
      #expect(server.requests.count == 1)
    }
  }

  @Test("A response that arrives for a cancelled body is cancelled")
  func cancelledWhileAsking() async throws {
    let (url, first) = (URL(string: "https://photos.example/a")!, ScriptedLoader())
    let second = ScriptedLoader()
    let (asked, latch) = (Latch(), Latch())
    first.answer(url, with: whole, failingWith: .truncated(received: 0, expected: nil))
    second.answer(url, with: whole)
    let loader = Stubborn(first: first, second: second, asked: asked, latch: latch)
      .with(RetryMiddleware(backoff: .constant(.zero)))
    let body = try await loader.load(DataRequest(url: url)).body
    let pulling = Task {
      await failure { () throws(DataLoadingError) in while try await body.next() != nil {} }
    }
    await asked.wait()

    body.cancel()
    latch.open()

    #expect(await pulling.value == .cancelled)
    #expect(second.departures(from: url) == 1)
  }

  /// Loads through one loader, then through another, whether it is cancelled or not.
  private struct Stubborn: DataLoading {
    let first: ScriptedLoader
    let second: ScriptedLoader
    let asked: Latch
    let latch: Latch

    func load(_ request: DataRequest, limits: LoadLimits) async throws(DataLoadingError) -> LoadedData {
      let loaded: LoadedData
      if first.requests.isEmpty {
        loaded = try await first.load(request, limits: limits)
      } else {
        asked.open()
        await latch.wait()
        loaded = try await second.load(request, limits: limits)
      }
      var head = loaded.head
      head.headers["ETag"] = "\"1\""
      return LoadedData(head: head, body: loaded.body)
    }
  }

  @Test("A PUT is retried after an error status, and a POST only if it never arrived")
  func unsafe() async throws {
    let failed = try await load([.status(503), whole()], .post)
    #expect(failed.ranges.count == 1)
    if case .status(503, _) = failed.error {} else { unexpected(failed.error) }

    let repeated = try await load([.status(503), whole()], .put)
    #expect(repeated.body == whole)

    let port = try RefusingPort()
    let (loader, count) = (CurlLoader(), Shared(0))
    defer { loader.invalidate() }
    let counting = RequestMiddleware { _ throws(DataLoadingError) in count.change { $0 += 1 } }
    _ = await failure { () throws(DataLoadingError) in
      try await loader.with(RetryMiddleware(maximumRetryCount: 2, backoff: .constant(.zero)), counting)
        .data(for: DataRequest(url: port.url("/"), method: .post))
    }
    #expect(count.value == 3)
  }

  @Test("A POST whose redirect leads to a dead server is not sent again, and a GET and a PUT are")
  func deadTarget() async throws {
    let dead = try RefusingPort()
    for (method, count) in [(.post, 1), (.patch, 1), (.put, 3), (.get, 3)] as [(DataRequest.Method, Int)] {
      try await withLoopback { server, network async throws in
        server.serve("/a", .redirect(to: dead.url("/").absoluteString, status: 303))
        let loader = network.with(RetryMiddleware(maximumRetryCount: 2, backoff: .constant(.zero), jitter: 0))

        let error = await failure { () throws(DataLoadingError) in
          try await loader.data(for: DataRequest(url: server.url("/a"), method: method))
        }

        #expect(error?.isTransient == true)
        #expect(server.requests.map(\.method) == Array(repeating: method.rawValue, count: count))
      }
    }
  }

  @Test("An interrupted body is not continued by another resource that has the same tag")
  func elsewhere() async throws {
    try await withLoopback { server, network async throws in
      server.serve("/a", inTurn: [.redirect(to: "/b"), .redirect(to: "/c")])
      server.serve("/b", broken())
      server.serve("/c", .bytes(pattern(200_000, seed: 500)).with { $0.entityTag = "\"1\"" })
      let loader = network.with(RetryMiddleware(maximumRetryCount: 1, backoff: .constant(.zero), jitter: 0))

      let error = await failure { () throws(DataLoadingError) in
        try await loader.data(for: DataRequest(url: server.url("/a")))
      }

      if case .truncated = error {} else { unexpected(error) }
      #expect(server.requests.map(\.path) == ["/a", "/b", "/a", "/c"])
    }
  }
}
