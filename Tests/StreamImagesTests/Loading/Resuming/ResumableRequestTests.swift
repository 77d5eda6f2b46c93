import Foundation
import StreamImages
import Testing

/// Which requests are resumed, and what is asked of the loader then.
@Suite("Resumed requests")
struct ResumableRequestTests {
  /// Answers with the responses of a list, and keeps requests and bodies.
  private final class Server: DataLoading {
    let requests = Shared([DataRequest]())
    let bodies = Shared([CountedChunks]())
    let forgotten = Shared(0)
    let onForget = Shared<(@Sendable () async -> Void)?>(nil)
    private let ranges: Shared<[LoadedHead.ByteRange?]>

    init(_ ranges: [LoadedHead.ByteRange?]) { self.ranges = Shared(ranges.reversed()) }

    func load(_ request: DataRequest, limits: LoadLimits) async throws(DataLoadingError) -> LoadedData {
      requests.change { $0.append(request) }
      var range: LoadedHead.ByteRange?
      ranges.change { range = $0.popLast() ?? nil }
      let head = LoadedHead(
        status: range == nil ? 200 : 206, headers: ["ETag": "\"1\"", "Accept-Ranges": "bytes"],
        url: request.url, expectedByteCount: range.map { $0.bytes.count } ?? 10, partial: range)
      let body = CountedChunks([Data(count: 4)], then: .timedOut(.idle))
      bodies.change { $0.append(body) }
      return LoadedData(head: head, body: body)
    }

    func forget(_ request: DataRequest) async {
      forgotten.change { $0 += 1 }
      await onForget.value?()
    }

    func forgetAll() async {
      forgotten.change { $0 += 10 }
      await onForget.value?()
    }
  }

  private let url = URL(string: "https://a.example/a")!

  private func read(_ loader: ResumableLoader, _ request: DataRequest, limit: Int = 100) async
    -> DataLoadingError?
  {
    var limits = LoadLimits()
    limits.maximumByteCount = limit
    return await failure { [limits] () throws(DataLoadingError) in
      try await loader.data(for: request, limits: limits)
    }
  }

  @Test("Only a GET without a body or a range of its own, over HTTP, is resumed")
  func requests() async {
    var requests = [DataRequest(url: url), DataRequest(url: URL(string: "HTTP://a.example/a")!)]
    requests.append(DataRequest(url: url, method: .head))
    requests.append(DataRequest(url: url, method: .post))
    requests.append(DataRequest(url: url, body: Data([1])))
    requests.append(DataRequest(url: url, headers: ["Range": "bytes=1-"]))
    requests.append(DataRequest(url: url, headers: ["If-Range": "\"1\""]))
    requests.append(DataRequest(url: URL(string: "file:///a")!))
    for (index, request) in requests.enumerated() {
      let server = Server([])
      let loader = ResumableLoader(server)

      _ = await read(loader, request)

      #expect(loader.keptByteCount == (index < 2 ? 4 : 0), "\(request)")
      #expect(server.requests.value == [request])
    }
  }

  @Test("The rest is requested by a range, for the version that is there, and without compression")
  func rest() async {
    let server = Server([nil, LoadedHead.ByteRange(bytes: 4..<10, total: 10)])
    let loader = ResumableLoader(server)
    var request = DataRequest(url: url, headers: ["Accept": "image/*"])
    request.allowsContentCoding = true

    for _ in 0..<2 { #expect(await read(loader, request) == .timedOut(.idle)) }

    let rest = server.requests.value[1]
    #expect(rest.headers["Range"] == "bytes=4-" && rest.headers["If-Range"] == "\"1\"")
    #expect(rest.headers["Accept"] == "image/*")
    #expect(rest.acceptedStatuses == Set(200..<300).union([416]))
    #expect(!rest.allowsContentCoding)
    #expect(loader.keptByteCount == 8)
  }

  @Test("A response that does not continue the body is cancelled, and the whole is requested")
  func other() async {
    let server = Server([nil, LoadedHead.ByteRange(bytes: 3..<10, total: 10), nil])
    let loader = ResumableLoader(server)

    for _ in 0..<2 { _ = await read(loader, DataRequest(url: url)) }

    #expect(server.requests.value.map { $0.headers["Range"] } == [nil, "bytes=4-", nil])
    #expect(server.bodies.value.map(\.cancellations.value)[1] == 1)
  }

  @Test("A body whose size is known is refused before it is resumed if it is larger than the limit")
  func limit() async {
    for (limit, isAllowed) in [(9, false), (10, true), (11, true)] {
      let server = Server([nil, LoadedHead.ByteRange(bytes: 4..<10, total: 10)])
      let loader = ResumableLoader(server)
      _ = await read(loader, DataRequest(url: url))

      let error = await read(loader, DataRequest(url: url), limit: limit)

      #expect(error == (isAllowed ? .timedOut(.idle) : .tooLarge(limit: limit, announced: 10)))
      #expect(server.requests.value.count == (isAllowed ? 2 : 1))
    }
  }

  @Test("Kept beginnings can be removed, alone or with what the loader behind has")
  func removal() async {
    let server = Server([])
    let loader = ResumableLoader(server)
    for (remove, forgotten) in [(0, 0), (1, 1), (2, 11)] {
      _ = await read(loader, DataRequest(url: url))
      #expect(loader.keptByteCount == 4)

      switch remove {
      case 0: loader.removeAll()
      case 1: await loader.forget(DataRequest(url: url))
      default: await loader.forgetAll()
      }

      #expect(loader.keptByteCount == 0)
      #expect(server.forgotten.value == forgotten)
    }
  }

  @Test("A load that breaks off while beginnings are removed keeps nothing", arguments: [true, false])
  func meanwhile(_ all: Bool) async {
    let server = Server([])
    let loader = ResumableLoader(server)
    server.onForget.change { $0 = { [self] in _ = await read(loader, DataRequest(url: url)) } }

    if all { await loader.forgetAll() } else { await loader.forget(DataRequest(url: url)) }

    #expect(server.requests.value.count == 1 && loader.keptByteCount == 0)
  }

  @Test("By default, a body of up to a quarter of 64 MiB is kept")
  func defaults() async {
    final class Large: DataLoading {
      let size: Int

      init(_ size: Int) { self.size = size }

      func load(_ request: DataRequest, limits: LoadLimits) async throws(DataLoadingError) -> LoadedData {
        let head = LoadedHead(headers: ["ETag": "\"1\"", "Accept-Ranges": "bytes"], url: request.url)
        return LoadedData(head: head, body: CountedChunks([Data(count: size)], then: .timedOut(.idle)))
      }
    }
    for (size, isKept) in [(16_777_216, true), (16_777_217, false)] {
      let loader = ResumableLoader(Large(size))

      _ = await read(loader, DataRequest(url: url), limit: .max)

      #expect(loader.keptByteCount == (isKept ? size : 0))
    }
  }

  @Test(
    "Requests that differ only in what a cache adds have the same beginning",
    arguments: ["Cache-Control", "If-None-Match", "If-Modified-Since"])
  func cacheHeaders(_ name: String) async {
    let server = Server([nil, LoadedHead.ByteRange(bytes: 4..<10, total: 10)])
    let loader = ResumableLoader(server)
    _ = await read(loader, DataRequest(url: url))

    _ = await read(loader, DataRequest(url: url, headers: [name: "1"]))

    #expect(server.requests.value.map { $0.headers["Range"] } == [nil, "bytes=4-"])
    #expect(server.requests.value.map { $0.headers[name] } == [nil, "1"])
    #expect(loader.keptByteCount == 8)
    await loader.forget(DataRequest(url: url))
    #expect(loader.keptByteCount == 0)
  }
}
