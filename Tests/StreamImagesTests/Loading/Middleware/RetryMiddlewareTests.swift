import Dispatch
import Foundation
import LoopbackServer
import StreamImages
import StreamsExtras
import StreamsFoundationExtras
import StreamsTesting
import Testing

@Suite("`RetryMiddleware`", .inRealTime, .timeLimit(.minutes(20)))
struct RetryMiddlewareTests {
  private let scheduler = DispatchQueue.test

  /// How long each retry waited, and how it ended: time is moved as far as somebody waits.
  private func run(
    _ replies: [Reply], _ make: (AnySchedulerOf<DispatchQueue>) -> RetryMiddleware
  ) async throws -> (waits: [Double], count: Int, error: DataLoadingError?) {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("/a", inTurn: replies)
    let network = CurlLoader()
    defer { network.invalidate() }
    let start = scheduler.now
    let loader = network.with(make(scheduler.eraseToAnyScheduler()))
    let result = Shared<DataLoadingError?>(nil)
    let done = Latch()
    let task = Task {
      let error = await failure { () throws(DataLoadingError) in
        try await loader.data(for: DataRequest(url: server.url("/a")))
      }
      result.change { $0 = error }
      done.open()
    }
    var times: [Double] = []
    while !done.isOpen {
      if scheduler.pending > 0 {
        step()
        times.append(Double(start.distance(to: scheduler.now).magnitude) / 1e9)
      }
      await Task.yield()
    }
    await task.value
    let waits = zip([0] + times, times).map { (($1 - $0) * 1000).rounded() / 1000 }
    return (waits, server.requests.count, result.value)
  }

  private func step() { scheduler.run(limit: 1) }

  @Test(
    "The wait before each retry follows the configured backoff",
    arguments: [
      (.constant(.seconds(1)), [1, 1, 1]), (.linear(.seconds(2)), [2, 4, 6]),
      (.exponential(first: .milliseconds(500)), [0.5, 1, 2]),
      (.exponential(first: .seconds(1), factor: 10, maximum: .seconds(5)), [1, 5, 5]),
      (.exponential(first: .seconds(1), factor: 0.5), [1, 1, 1]),
      (.custom { .seconds($0 * $0) }, [1, 4, 9]), (.custom { _ in .seconds(-1) }, [0, 0, 0]),
    ] as [(RetryMiddleware.Backoff, [Double])])
  func backoff(_ row: (backoff: RetryMiddleware.Backoff, waits: [Double])) async throws {
    let result = try await run([.status(503)]) {
      RetryMiddleware(backoff: row.backoff, jitter: 0, scheduler: $0)
    }

    #expect(result.waits == row.waits)
    #expect(result.count == 4)
    if case .status(503, _) = result.error {} else { unexpected(result.error) }
  }

  @Test("A wait grows a billion times, and the next one is the longest, however short the first one is")
  func longest() async throws {
    let result = try await run([.status(503)]) {
      RetryMiddleware(
        maximumRetryCount: 5,
        backoff: .exponential(first: .nanoseconds(1), factor: 1_000, maximum: .seconds(100)), jitter: 0,
        scheduler: $0)
    }

    #expect(result.waits == [0, 0, 0.001, 1, 100])
  }

  @Test("Retrying ends with the first successful response")
  func success() async throws {
    let result = try await run([.failing(.closeBeforeHead), .status(500), .bytes(pattern(10))]) {
      RetryMiddleware(jitter: 0, scheduler: $0)
    }

    #expect(result.error == nil)
    #expect(result.count == 3)
    #expect(result.waits == [0.5, 1])
  }

  @Test("A permanent error is not retried", arguments: [404, 403, 416])
  func final(_ status: Int) async throws {
    let result = try await run([.status(status)]) { RetryMiddleware(scheduler: $0) }

    #expect(result.count == 1)
    #expect(result.waits == [])
  }

  @Test("A custom predicate can retry other errors")
  func worthwhile() async throws {
    let result = try await run([.status(404), .bytes(pattern(1))]) { scheduler in
      RetryMiddleware(jitter: 0, scheduler: scheduler) { error in
        if case .status(404, _) = error { true } else { false }
      }
    }

    #expect(result.error == nil)
    #expect(result.count == 2)
  }

  @Test(
    "The wait follows Retry-After in both forms, and one that is too long fails",
    arguments: [
      ("7", 7.0), ("0", 0.5), (HTTPTime.text(1_800_000_009), 9), ("x", 0.5), ("61", nil),
      ("99999999999999999999999", nil), ("60", 60), (HTTPTime.text(1_799_999_000), 0.5), ("", 0.5),
    ] as [(String, Double?)])
  func retryAfter(_ row: (text: String, wait: Double?)) async throws {
    let busy = Reply.status(503).with {
      $0.headers += [("Retry-After", row.text), ("Date", HTTPTime.text(1_800_000_000))]
    }
    let result = try await run([busy, .bytes(pattern(1))]) { RetryMiddleware(jitter: 0, scheduler: $0) }

    #expect(result.waits == [row.wait].compactMap(\.self))
    #expect((result.error == nil) == (row.wait != nil))
  }

  @Test("Jitter shortens the wait and never extends it")
  func jitter() async throws {
    let result = try await run([.status(503)]) {
      RetryMiddleware(maximumRetryCount: 5, backoff: .constant(.seconds(1)), jitter: 0.5, scheduler: $0)
    }

    #expect(result.waits.count == 5)
    #expect(result.waits.allSatisfy { (0.499...1.001).contains($0) })
    #expect(Set(result.waits).count > 1)
  }

  @Test("Cancelling ends the wait for a retry")
  func cancelled() async throws {
    try await withLoopback { server, network async throws in
      server.serve("/a", .status(503))
      let loader = network.with(RetryMiddleware(scheduler: scheduler.eraseToAnyScheduler()))
      let task = Task {
        await failure { () throws(DataLoadingError) in
          try await loader.data(for: DataRequest(url: server.url("/a")))
        }
      }
      while scheduler.pending == 0 { await Task.yield() }

      task.cancel()

      #expect(await task.value == .cancelled)
      #expect(server.requests.count == 1)
    }
  }

  @Test("A request cancelled during the wait is not sent again")
  func cancelledInPause() async {
    let (loader, url) = (ScriptedLoader(), URL(string: "https://photos.example/a")!)
    loader.fail(url, with: .status(503, head: LoadedHead(status: 503, url: url)))
    let retrying = loader.with(RetryMiddleware(scheduler: scheduler.eraseToAnyScheduler()))
    let task = Task {
      await failure { () throws(DataLoadingError) in try await retrying.load(DataRequest(url: url)) }
    }
    await until { scheduler.pending > 0 }

    task.cancel()

    #expect(await task.value == .cancelled)
    #expect(loader.loads(of: url) == 1)
  }
}
