import Foundation
import StreamImages
import Testing

/// What a cache does with the bodies of responses that it does not return.
@Suite("HTTP cache: bodies of redirects", .timeLimit(.minutes(20)))
struct RedirectBodyTests {
  /// Has one response at `/a`, and another everywhere else.
  private struct Origin: DataLoading {
    let status: Int
    let location: String?
    var size: Int?
    let body = CountedChunks([Data([1])])

    func load(_ request: DataRequest, limits: LoadLimits) async throws(DataLoadingError) -> LoadedData {
      guard request.url.path == "/a" else {
        if request.url.path == "/bad" { throw .badURL("bad") }
        if request.url.path == "/host" { throw .hostRefused(host: "b") }
        return LoadedData(head: LoadedHead(url: request.url), body: BufferedChunks(Data("target".utf8)))
      }
      guard status < 400 else { throw .badURL("a") }
      let head = LoadedHead(
        status: status, headers: location.map { ["Location": $0] } ?? [:], url: request.url,
        expectedByteCount: size)
      return LoadedData(head: head, body: body)
    }
  }

  private func result(_ origin: Origin, accepts statuses: Set<Int> = Set(200..<300)) async -> Result<
    Data, DataLoadingError
  > {
    let cache = HTTPCache(origin, store: RecordingDataCache(), policy: .respectingHTTP) { 0 }
    var request = DataRequest(url: URL(string: "https://a.example/a")!)
    request.acceptedStatuses = statuses
    do throws(DataLoadingError) { return .success(try await cache.data(for: request).body) } catch {
      return .failure(error)
    }
  }

  @Test("The body of a redirect is read up to 64 KiB, for its connection, and cancelled if it may be longer")
  func sizes() async {
    for (size, reads, cancellations) in [
      (0, 2, 0), (1, 2, 0), (65_536, 2, 0), (65_537, 0, 1), (nil, 0, 1),
    ] as [(Int?, Int, Int)] {
      let origin = Origin(status: 302, location: "/b", size: size)

      #expect(await result(origin) == .success(Data("target".utf8)))
      #expect(origin.body.reads.value == reads && origin.body.cancellations.value == cancellations)
    }
  }

  @Test("A response that is no redirect is returned, even if it names a location")
  func created() async {
    for status in [200, 201, 299] {
      #expect(await result(Origin(status: status, location: "/b")) == .success(Data([1])))
    }
  }

  @Test("The body of a response that is refused is cancelled")
  func refused() async {
    let cases: [(Origin, Set<Int>)] = [
      (Origin(status: 302, location: nil), Set(200..<300)), (Origin(status: 201, location: "/b"), [200]),
    ]
    for (origin, statuses) in cases {
      guard case .failure = await result(origin, accepts: statuses) else { return unexpected(origin) }
      #expect(origin.body.cancellations.value == 1)
      #expect(origin.body.reads.value == 0)
    }
  }

  @Test("A bad URL or a refused host is an error of the redirect only if there was one")
  func errors() async {
    #expect(await result(Origin(status: 400, location: nil)) == .failure(.badURL("a")))
    #expect(await result(Origin(status: 302, location: "/bad")) == .failure(.redirectRefused(.badLocation)))
    #expect(await result(Origin(status: 302, location: "/host")) == .failure(.redirectRefused(.host("b"))))
  }

  private static func twoChunks() -> CountedChunks { CountedChunks([Data("abc".utf8), Data("def".utf8)]) }

  @Test("A body is kept once, when all of it was read, and if it is not larger than the limit")
  func recording() async throws {
    for (limit, keeps) in [(5, false), (6, true), (7, true)] {
      let kept = Shared([Data]())
      let body = RecordedChunks(Self.twoChunks(), limit: limit) { whole in kept.change { $0.append(whole) } }

      for _ in 0..<2 { _ = try await body.next() }
      #expect(kept.value.isEmpty)
      for _ in 0..<2 { #expect(try await body.next() == nil) }

      #expect(kept.value == (keeps ? [Data("abcdef".utf8)] : []))
    }
    let kept = Shared([Data]())
    let cancelled = RecordedChunks(Self.twoChunks(), limit: 6) { whole in kept.change { $0.append(whole) } }
    for _ in 0..<2 { _ = try await cancelled.next() }
    cancelled.cancel()
    #expect(try await cancelled.next() == nil)
    #expect(kept.value.isEmpty)
  }
}
