import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import StreamImages
import StreamImagesS3
import Synchronization
import Testing
import ThumbnailServer

@Suite("What an origin allows", .timeLimit(.minutes(5)))
struct CachingTests {
  private static let now = 784_111_777  // Sun, 06 Nov 1994 08:49:37 GMT

  @Test(
    "decides how long a thumbnail may be kept, as RFC 9111 has it for a shared cache",
    arguments: [
      ([:], "public, max-age=86400"), (["Last-Modified": "yesterday"], "public, max-age=86400"),
      (["Cache-Control": "max-age=600"], "public, max-age=599"),
      (["Cache-Control": "max-age=600, s-maxage=60"], "public, max-age=59"),
      (["Cache-Control": "max-age=60, s-maxage=600"], "public, max-age=59, s-maxage=599"),
      (["Cache-Control": "max-age=0, s-maxage=600"], "public, max-age=0, s-maxage=599"),
      (["Cache-Control": "MAX-AGE=\"600\", Immutable"], "public, max-age=599, immutable"),
      (["Cache-Control": "max-age=600", "Age": "500"], "public, max-age=99"),
      (["Cache-Control": "max-age=600", "Age": "600"], "no-cache"),
      (["Cache-Control": "max-age=600", "Date": "Sun, 06 Nov 1994 08:49:07 GMT"], "public, max-age=570"),
      (["Cache-Control": "max-age=600", "Date": "Sun, 06 Nov 1994 09:49:37 GMT"], "public, max-age=599"),
      (["Cache-Control": "max-age=never"], "no-cache"),
      (["Cache-Control": "max-age=99999999999999999999"], "public, max-age=90000"),
      (
        ["Cache-Control": "max-age=9, stale-while-revalidate=60"],
        "public, max-age=8, stale-while-revalidate=60"
      ),
      (["Cache-Control": "max-age=9, stale-if-error=x\r\ny"], "public, max-age=8, stale-if-error=0"),
      (
        ["Expires": "Sun, 06 Nov 1994 08:59:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:37 GMT"],
        "public, max-age=599"
      ),
      (["Expires": "Sun, 06 Nov 1994 08:59:37 GMT", "Cache-Control": "max-age=60"], "public, max-age=59"),
      (["Expires": "0"], "no-cache"), (["Cache-Control": "no-cache"], "no-cache"),
      (["Pragma": "no-cache"], "no-cache"),
      (["Vary": "*", "Cache-Control": "max-age=600"], "no-cache"),
      (["Cache-Control": "no-store, max-age=600"], "no-store"),
      (["Cache-Control": "no-store, private"], "no-store"),
      (["Cache-Control": "private=\"a, b\", max-age=600, s-maxage=9"], "private, max-age=599"),
    ] as [(HeaderFields, String)])
  func rules(_ headers: HeaderFields, _ field: String) {
    // The response took a second.
    let origin = OriginCaching(headers, requestTime: Self.now - 1, now: Self.now, usual: 86_400)

    #expect(origin.field(now: Self.now, limit: 90_000) == field)
    #expect(origin.isFresh(now: Self.now) == field.hasPrefix("public"))
  }

  @Test("makes a thumbnail stale with time")
  func time() {
    let origin = OriginCaching(
      ["Cache-Control": "max-age=60"], requestTime: Self.now, now: Self.now, usual: 86_400)

    #expect(origin.isFresh(now: Self.now + 59) && !origin.isFresh(now: Self.now + 60))
    #expect(origin.field(now: Self.now + 20, limit: .max) == "public, max-age=40")
    #expect(origin.field(now: Self.now + 20, limit: 5) == "public, max-age=5")
  }

  @Test("never lets a cache use a thumbnail beyond the end of its URL, not even while it is stale")
  func staleAtTheEnd() {
    let headers: HeaderFields = [
      "Cache-Control": "max-age=60, stale-while-revalidate=600, stale-if-error=30, immutable"
    ]
    let origin = OriginCaching(headers, requestTime: Self.now, now: Self.now, usual: 86_400)

    #expect(origin.field(now: Self.now, limit: 50) == "public, max-age=50, immutable")
    #expect(origin.field(now: Self.now, limit: 100) == "public, max-age=60, immutable, stale-if-error=30")
    #expect(
      origin.field(now: Self.now, limit: .max)
        == "public, max-age=60, immutable, stale-while-revalidate=600, stale-if-error=30")
  }

  @Test("decides alone how long the nginx of the example uses a thumbnail while it is stale")
  func nginx() throws {
    let example = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../behind-nginx")
    let lines = try String(contentsOf: example.standardized, encoding: .utf8).split(separator: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }

    #expect(lines.contains("proxy_cache_background_update on;"))
    #expect(!lines.contains { $0.hasPrefix("proxy_cache_use_stale") })
  }

  @Test("makes a thumbnail stale after a day if the origin does not say anything")
  func usual() {
    let origin = OriginCaching([:], requestTime: Self.now, now: Self.now, usual: 86_400)

    #expect(origin.isFresh(now: Self.now + 86_399) && !origin.isFresh(now: Self.now + 86_400))
    #expect(origin.field(now: Self.now + 86_000, limit: .max) == "public, max-age=400")
  }

  @Test("is passed on with the date of the last change, also for a thumbnail that was made before")
  func passedOn() async throws {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    try await withServers { client, origin, server in
      server.keptFields.withLock { $0 = [.cacheControl: "max-age=100000, immutable", .lastModified: date] }
      for _ in 0..<2 {
        let answer = try await client.thumbnail("url=\(origin)/kept.png&w=10")
        let field = try #require(answer.headers[.cacheControl])
        let seconds = try #require(field.firstMatch(of: /^public, max-age=(\d+), immutable$/)?.output.1)

        #expect((99_000...100_000).contains(Int(seconds) ?? 0))
        #expect(answer.headers[.lastModified] == date)
        #expect(answer.headers[.expires] != nil)
      }
      #expect(server.requests == ["/kept.png"])

      let same = try await client.thumbnail("url=\(origin)/kept.png&w=10", [.ifModifiedSince: date])
      let other = try await client.thumbnail(
        "url=\(origin)/kept.png&w=10", [.ifModifiedSince: date, .ifNoneMatch: "\"other\""])
      #expect(same.status == .notModified && other.status == .ok)
      let info = try await client.execute(uri: "/info?url=\(origin)/kept.png", method: .get) { $0 }
      #expect(info.headers[.lastModified] == date)
    }
  }

  @Test(
    "has the image loaded again for each request if it may not be kept, at any size",
    arguments: [
      ("no-cache", "no-cache"), ("no-store", "no-store"), ("private, max-age=0", "private, no-cache"),
    ])
  func reloaded(_ sent: String, _ passed: String) async throws {
    try await withThumbnails { thumbnails, origin, server in
      server.keptFields.withLock { $0 = [.cacheControl: sent] }
      try await Application(router: thumbnails.router()).test(.router) { client in
        var tags: Set<String> = []
        for width in [10, 10, 20, 10] {
          let answer = try await client.thumbnail("url=\(origin)/kept.png&w=\(width)&format=png")
          #expect(answer.status == .ok && answer.headers[.cacheControl] == passed)
          tags.insert(answer.headers[.eTag] ?? "")
          await thumbnails.pipeline.flush()
        }
        #expect(tags.count == 4)
        #expect(server.requests.count == 4)

        let info = try await client.execute(uri: "/info?url=\(origin)/kept.png", method: .get) { $0 }
        #expect(info.status == .ok && info.headers[.cacheControl] == passed)
        #expect(server.requests.count == 5)
      }
    }
  }

  @Test("is that of the image that was loaded last, also if the one before was allowed more")
  func changed() async throws {
    let (old, new) = ("Sun, 06 Nov 1994 08:49:37 GMT", "Mon, 07 Nov 1994 08:49:37 GMT")
    try await withThumbnails { thumbnails, origin, server in
      try await Application(router: thumbnails.router()).test(.router) { client in
        server.keptFields.withLock { $0 = [.cacheControl: "no-cache", .lastModified: old] }
        let first = try await client.thumbnail("url=\(origin)/kept.png&w=10")
        await thumbnails.pipeline.flush()

        server.keptFields.withLock { $0 = [.cacheControl: "no-store", .lastModified: new] }
        let second = try await client.thumbnail("url=\(origin)/kept.png&w=10", [.ifModifiedSince: old])

        #expect(first.headers[.cacheControl] == "no-cache" && first.headers[.lastModified] == old)
        #expect(second.status == .ok && second.headers[.eTag] != first.headers[.eTag])
        #expect(second.headers[.cacheControl] == "no-store" && second.headers[.lastModified] == new)
      }
    }
  }

  @Test(
    "is known to a server that was started again, and to one that shares the bucket of another",
    arguments: [("max-age=100000, immutable", 1), ("no-cache", 2)], [false, true])
  func kept(_ rule: (sent: String, loads: Int), sharesBucket: Bool) async throws {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    try await withOrigin { origin, server in
      server.keptFields.withLock { $0 = [.cacheControl: rule.sent, .lastModified: date] }
      let endpoint = try #require(URL(string: origin))
      var tags: Set<String> = []
      for name in ["first", sharesBucket ? "second" : "first"] {
        let thumbnails = makeThumbnails(in: directory.appending(path: name)) { settings in
          guard sharesBucket else { return }
          settings.sharedBucket = "results"
          settings.store = S3Endpoint(
            url: endpoint,
            credentials: S3CredentialsSource { S3Credentials(accessKey: "a", secretKey: "b") })
        }
        let answer = try await Application(router: thumbnails.router()).test(.router) { client in
          try await client.thumbnail("url=\(origin)/kept.png&w=10")
        }
        await thumbnails.pipeline.flush()

        let field = answer.headers[.cacheControl] ?? ""
        let passed = rule.loads == 1 ? /public, max-age=(99\d\d\d|100000), immutable/ : /(no-cache)/
        #expect(answer.status == .ok && field.wholeMatch(of: passed) != nil, "\(field)")
        #expect(answer.headers[.lastModified] == date)
        tags.insert(answer.headers[.eTag] ?? "")
      }
      #expect(tags.count == rule.loads && server.requests.count == rule.loads)
    }
  }

  @Test("counts for nothing if the operator has set how long thumbnails are kept")
  func operatorsAge() async throws {
    try await withServers {
      $0.maxAge = 60
    } _: { client, origin, server in
      server.keptFields.withLock { $0 = [.cacheControl: "no-store"] }
      for _ in 0..<2 {
        let answer = try await client.thumbnail("url=\(origin)/kept.png&w=10")
        #expect(answer.headers[.cacheControl] == "public, max-age=60" && answer.headers[.lastModified] == nil)
      }
      #expect(server.requests == ["/kept.png"])
    }
  }
}

@Suite("A client that disconnects", .timeLimit(.minutes(5)), .serialized)
struct HangUpTests {
  @Test("ends the load of its image")
  func load() async throws {
    try await withOrigin { origin, server in
      try await withProgram { program in
        let client = try RawConnection(program.address)
        client.send("GET /thumb?url=\(origin)/abandoned.png&w=10 HTTP/1.1\r\nHost: a\r\n\r\n")
        await server.isAskedForHeldImage()

        client.hangUp()

        await server.isAbandoned()
        #expect(client.isClosed())
      }
    }
  }

  @Test("ends the load of the second image that it has asked for at once")
  func pipelinedLoad() async throws {
    try await withOrigin { origin, server in
      try await withProgram { program in
        let client = try RawConnection(program.address)
        client.send(
          "GET /nothing HTTP/1.1\r\nHost: a\r\n\r\nGET /thumb?url=\(origin)/abandoned.png&w=10 HTTP/1.1\r\nHost: a\r\n\r\n"
        )
        await server.isAskedForHeldImage()

        client.hangUp()

        #expect(client.rest().matches(of: /HTTP\/1.1 (\d+)/).map(\.output.1) == ["404"])
        await server.isAbandoned()
      }
    }
  }

  @Test("does not end it for another client")
  func sharedLoad() async throws {
    try await withOrigin { origin, server in
      try await withProgram { program in
        let request = "GET /thumb?url=\(origin)/held.png&w=10 HTTP/1.1\r\nHost: a\r\n\r\n"
        let (first, second) = (try RawConnection(program.address), try RawConnection(program.address))
        first.send(request)
        await server.isAskedForHeldImage()
        second.send(request)

        first.hangUp()
        #expect(first.isClosed())
        server.release()

        #expect(second.status() == 200)
      }
    }
  }

  @Test("that asks for the next image over the same connection is answered")
  func keptConnection() async throws {
    try await withOrigin { origin, _ in
      try await withProgram { program in
        let client = try RawConnection(program.address)
        client.send(
          "HEAD /thumb?url=\(origin)/image.png&w=10 HTTP/1.1\r\nHost: a\r\n\r\nGET /nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        )

        #expect(client.rest().matches(of: /HTTP\/1.1 (\d+)/).map(\.output.1) == ["200", "404"])
      }
    }
  }

  private func withProgram(_ body: (ServerProcess) async throws -> Void) async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    let program = try ServerProcess(
      "--allow", "localhost:*", "--private-addresses", "--port", "0", "--status-port", "0", "--cache",
      directory.path)
    defer { program.terminate() }
    try await body(program)
  }
}
