import Foundation
import StreamImages
import Synchronization
import Testing

/// How many loads have begun.
private final class Begun: Sendable {
  let count = Atomic(0)

  func reach(_ goal: Int) async {
    while count.load(ordering: .relaxed) < goal { await Task.yield() }
  }
}

/// Loads that share a connection over HTTP/2, as those of a pipeline do.
@Suite("Nginx: shared connections", .enabled(if: Nginx.isThere), .timeLimit(.minutes(5)))
struct NginxSharingTests {
  private let loader = Way.http2.loader()

  private func request(_ path: String, at server: String = "NGINX_HTTPS") -> DataRequest {
    let base = Nginx.environment[server] ?? "https://127.0.0.1"
    var request = DataRequest(url: URL(string: base + path)!)
    request.buffersBody = true
    return request
  }

  private func connections(_ request: DataRequest) throws -> Int {
    try Descriptors.count(connectedTo: UInt16(try #require(request.url.port)))
  }

  /// Loads the same so often at once; how many arrived whole, and how many connections there were in the end.
  private func load(_ request: DataRequest, times: Int) async throws -> (whole: Int, connections: Int) {
    let whole = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<times {
        group.addTask { [loader] in try await loader.data(for: request).body.count }
      }
      return try await group.reduce(0) { $0 + ($1 == 20_000 ? 1 : 0) }
    }
    return (whole, try connections(request))
  }

  @Test("A hundred loads share one connection from the start")
  func one() async throws {
    let loaded = try await load(request("/small"), times: 100)

    #expect(loaded == (100, 1))
    loader.invalidate()
  }

  @Test("As many loads share one connection as the loader and the server allow, also more than a hundred")
  func many() async throws {
    let loader = Way.http2.loader { $0.maximumStreamsPerConnection = 128 }
    _ = try await loader.data(for: request("/small"))

    // None ends before all have begun.
    var inFlight: [any DataChunks] = []
    for number in 0..<120 {
      inFlight.append(try await loader.load(request("/stops?\(number)")).body)
    }

    #expect(try connections(request("/")) == 1)
    for body in inFlight { body.cancel() }
    loader.invalidate()
  }

  @Test("Loads use a connection that was warmed up")
  func warm() async throws {
    try await loader.warmUp(try #require(URL(string: "/some/where?a#b", relativeTo: request("/").url)))
    let before = try connections(request("/"))

    let loaded = try await load(request("/small"), times: 20)

    #expect(before == 1)
    #expect(loaded == (20, 1))
    loader.invalidate()
  }

  @Test("Warming up a connection fails without a server")
  func cold() async throws {
    let url = try #require(URL(string: "https://127.0.0.1:1/"))
    let error = await failure { () throws(DataLoadingError) in try await loader.warmUp(url) }

    if case .cannotConnect = error {} else { unexpected(error) }
    loader.invalidate()
  }

  @Test("Loads of a pipeline share one connection, separate from a paused body")
  func pipeline() async throws {
    let waiting = try await loader.load(DataRequest(url: Way.http2.url("/medium")))
    var configuration = ImagePipeline.Configuration()
    configuration.dataLoader = loader
    configuration.dataCache = nil
    let pipeline = ImagePipeline(configuration)

    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<50 {
        let url = Way.http2.url("/small?\(number)")
        group.addTask { try await pipeline.data(for: url).data.count }
      }
      for try await count in group { #expect(count == 20_000) }
    }

    let count = try connections(request("/"))
    #expect(count == 2)
    waiting.body.cancel()
    loader.invalidate()
  }

  @Test("A server that allows few streams gets more than one connection, and at most six")
  func fewStreams() async throws {
    _ = try await loader.data(for: request("/small", at: "NGINX_FEW"))

    // Each takes a second: others do not end on the first connection before another one is there.
    let loaded = try await load(request("/late", at: "NGINX_FEW"), times: 100)

    #expect(loaded.whole == 100)
    #expect((2...6).contains(loaded.connections))
    loader.invalidate()
  }

  @Test("All loads succeed if the server closes connections after ten requests")
  func goAway() async throws {
    let loaded = try await load(request("/small", at: "NGINX_BRIEF"), times: 100)

    #expect(loaded.whole == 100)
    loader.invalidate()
  }

  @Test("A server with HTTP/1.1 only gets at most six connections")
  func old() async throws {
    let loaded = try await load(request("/small", at: "NGINX_OLD"), times: 100)

    #expect(loaded.whole == 100)
    #expect((1...6).contains(loaded.connections))
    loader.invalidate()
  }

  @Test("Time in the queue over HTTP/1.1 does not count towards the total timeout")
  func oldAndSlow() async throws {
    // Each takes a second, and six run at a time: the last of them end after two.
    let late = request("/late", at: "NGINX_OLD")
    var limits = LoadLimits()
    limits.totalTimeout = .milliseconds(1_800)

    let failures = await withTaskGroup(of: DataLoadingError?.self) { [loader, limits] group in
      for _ in 0..<12 {
        group.addTask {
          do throws(DataLoadingError) {
            _ = try await loader.data(for: late, limits: limits)
            return nil
          } catch {
            return error
          }
        }
      }
      return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
    }

    #expect(failures == [])
    loader.invalidate()
  }

  @Test("A shared connection survives cancelled and failed loads")
  func neighbours() async throws {
    _ = try await loader.data(for: request("/small"))
    let slow = request("/slow")
    let cancelled = (0..<10).map { _ in Task { [loader] in try await loader.load(slow) } }
    for task in cancelled { _ = try await task.value.body.next() }
    let staying = Task { [loader] in try await loader.load(slow) }
    let body = try await staying.value.body
    _ = try await body.next()

    for task in cancelled { try await task.value.body.cancel() }
    let gone = await failure { () throws(DataLoadingError) in
      try await loader.data(for: request("/gone"))
    }
    let loaded = try await load(request("/small"), times: 20)

    if case .connectionLost = gone {} else { unexpected(gone) }
    #expect(try await body.next() != nil)
    #expect(loaded == (20, 1))
    body.cancel()
    loader.invalidate()
  }

  @Test("A shared connection survives a response that the server resets")
  func reset() async throws {
    _ = try await loader.data(for: request("/small"))
    let slow = try await loader.load(request("/slow")).body
    _ = try await slow.next()
    let cut = try await loader.load(request("/cut")).body
    let received = Atomic(0)

    let error = await failure { () throws(DataLoadingError) in
      while let chunk = try await cut.next() { received.add(chunk.count, ordering: .relaxed) }
    }
    let loaded = try await load(request("/small"), times: 20)

    switch error {
    case .truncated, .connectionLost: break
    default: unexpected(error)
    }
    #expect((1..<1_000_000).contains(received.load(ordering: .relaxed)))
    #expect(try await slow.next() != nil)
    #expect(loaded == (20, 1))
    slow.cancel()
    loader.invalidate()
  }

  @Test("Urgent loads overtake waiting ones on a shared connection")
  func priority() async throws {
    let loader = Way.http2.loader { $0.maximumStreamsPerConnection = 5 }
    _ = try await loader.data(for: request("/small"))
    var inFlight: [any DataChunks] = []
    for number in 0..<5 {
      inFlight.append(try await loader.load(request("/slow?\(number)")).body)
    }
    let begun = Begun()

    let order = try await withThrowingTaskGroup(of: ImageRequest.Priority.self) { group in
      for number in 0..<100 {
        var request = request("/small?\(number)")
        request.priority = number < 90 ? .low : .high
        group.addTask { [request] in
          begun.count.add(1, ordering: .relaxed)
          _ = try await loader.data(for: request)
          return request.priority
        }
        if number == 89 { await begun.reach(90) }
      }
      await begun.reach(100)
      for body in inFlight { body.cancel() }
      return try await group.reduce(into: []) { $0.append($1) }
    }

    let last = try #require(order.lastIndex(of: .high))
    // The ten, those that ran beside them, and one that a thread had not yet put into the line.
    #expect(last < 25)
    let count = try connections(request("/"))
    #expect(count == 1)
    loader.invalidate()
  }
}
