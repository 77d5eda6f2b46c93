import Foundation
import Hummingbird
import HummingbirdTesting
import StreamImages
import Testing
import ThumbnailServer

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("The thumbnail server", .timeLimit(.minutes(5)))
struct ServerTests {
  @Test("makes a thumbnail of the size and in the format that a client asks for")
  func thumbnail() async throws {
    try await withServers { client, origin, _ in
      let url = "url=\(origin)/image.png"
      let webp = try await client.thumbnail("\(url)&w=320", [.accept: "image/webp,*/*;q=0.8"])
      let png = try await client.thumbnail("\(url)&w=100&h=100&fit=cover", [.accept: "*/*"])

      #expect(webp.status == .ok && png.status == .ok)
      #expect(webp.headers[.contentType] == "image/webp" && png.headers[.contentType] == "image/png")
      #expect(webp.headers[.vary] == "Accept")
      let age = webp.headers[.cacheControl].flatMap { $0.split(separator: "=").last }.flatMap { Int($0) } ?? 0
      #expect((86_000...86_400).contains(age))
      #expect(try ImageDecoder.decode(webp.body.readableBytesView).size == PixelSize(width: 320, height: 240))
      #expect(try ImageDecoder.decode(png.body.readableBytesView).size == PixelSize(width: 100, height: 100))
    }
  }

  @Test(
    "encodes in the format that suits the client and the image",
    arguments: [
      ("image/avif", "photo.jpg", ImageFormat.avif), ("image/webp", "photo.jpg", .webp),
      ("*/*", "photo.jpg", .jpeg), ("*/*", "image.png", .png), ("image/avif", "image.png", .avif),
    ])
  func formats(_ accept: String, _ image: String, _ format: ImageFormat) async throws {
    try await withServers {
      $0.formats = [.webp, .avif]
    } _: { client, origin, _ in
      let answer = try await client.thumbnail("url=\(origin)/\(image)&w=64", [.accept: accept])

      #expect(answer.status == .ok && answer.headers[.contentType] == "image/\(format)")
      #expect(try ImageDecoder.info(of: answer.body.readableBytesView).format == format)
      #expect(try ImageDecoder.decode(answer.body.readableBytesView).size == PixelSize(width: 64, height: 48))
    }
  }

  @Test("asks the origin once for those who want the same at the same time, and not again")
  func shared() async throws {
    try await withServers { client, origin, server in
      let query = "url=\(origin)/image.png&w=50"
      let bodies = try await withThrowingTaskGroup(of: ByteBuffer.self) { group in
        for _ in 0..<20 { group.addTask { try await client.thumbnail(query).body } }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      let again = try await client.thumbnail(query)

      #expect(bodies == [again.body])
      #expect(server.requests == ["/image.png"])
    }
  }

  @Test("says that what a client has is unchanged", arguments: ["TAG", "W/TAG", "\"other\", TAG", "*"])
  func unchanged(_ known: String) async throws {
    try await withServers { client, origin, _ in
      let query = "url=\(origin)/image.png&h=40"
      let tag = try #require(try await client.thumbnail(query).headers[.eTag])
      let header = known.replacing("TAG", with: tag)
      let unchanged = try await client.thumbnail(query, [.ifNoneMatch: header])
      let changed = try await client.thumbnail(query, [.ifNoneMatch: "\"other\""])

      #expect(unchanged.status == .notModified && unchanged.body.readableBytes == 0)
      #expect(unchanged.headers[.eTag] == tag)
      #expect(changed.status == .ok)
    }
  }

  @Test(
    "refuses what it does not serve",
    arguments: [
      ("w=10", 400, "query.url"), ("url=ORIGIN/image.png", 400, "query.w"),
      ("url=ORIGIN/image.png&w=0", 400, "query.w"), ("url=ORIGIN/image.png&w=4096", 400, "query.w"),
      ("url=ORIGIN/image.png&w=1e3", 400, "query.w"),
      ("url=ORIGIN/image.png&w=10&fit=wide", 400, "query.fit"),
      ("url=ORIGIN/image.png&w=10&fit=cover", 400, "query.h"),
      ("url=http://example.com/a.png&w=10", 403, "loading.host-refused"),
      ("url=file://localhost/etc/passwd&w=10", 403, "loading.unsupported-scheme"),
      ("url=file:///etc/passwd&w=10", 403, "loading.unsupported-scheme"),
      ("url=data:,x&w=10", 403, "loading.unsupported-scheme"),
      ("url=image.png&w=10", 400, "query.url"), ("url=http:///image.png&w=10", 400, "query.url"),
      ("url=ORIGIN/moved&w=10", 403, "loading.redirect-refused.host"),
      ("url=ORIGIN/moved/file&w=10", 403, "loading.redirect-refused.scheme"),
      ("url=ORIGIN/missing&w=10", 404, "loading.status"),
      ("url=ORIGIN/broken&w=10", 502, "loading.status"),
      ("url=ORIGIN/page&w=10", 422, "pipeline.not-an-image.html"),
    ])
  func refusals(_ query: String, _ status: Int, _ code: String) async throws {
    try await withServers { client, origin, _ in
      let answer = try await client.thumbnail(query.replacing("ORIGIN", with: origin))

      #expect(answer.status.code == status)
      #expect(String(buffer: answer.body) == code + "\n")
      #expect(answer.headers[.cacheControl] == (status < 500 ? "public, max-age=60" : "no-store"))
    }
  }

  @Test("answers at once that it is busy beyond the limit of requests")
  func busy() async throws {
    try await withServers {
      $0.requestLimit = 0
    } _: { client, origin, server in
      let answer = try await client.thumbnail("url=\(origin)/image.png&w=10")

      #expect(answer.status == .serviceUnavailable)
      #expect(answer.headers[.retryAfter] == "1")
      #expect(server.requests == [])
    }
  }

  @Test("answers again once there are fewer requests than the limit")
  func free() async throws {
    try await withServers {
      $0.requestLimit = 1
    } _: { client, origin, server in
      async let first = client.thumbnail("url=\(origin)/held.png&w=10")
      await server.isAskedForHeldImage()
      let second = try await client.thumbnail("url=\(origin)/image.png&w=10")
      server.release()
      let answered = try await first
      let third = try await client.thumbnail("url=\(origin)/image.png&w=10")

      #expect([answered, second, third].map(\.status) == [.ok, .serviceUnavailable, .ok])
    }
  }

  @Test("that is told to end answers what it has begun, and ends")
  func termination() async throws {
    try await withOrigin { origin, server in
      let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      defer { try? FileManager.default.removeItem(at: directory) }
      let running = try ServerProcess(
        "--allow", "localhost:*", "--private-addresses", "--port", "0", "--status-port", "0", "--cache",
        directory.path)
      let url = try #require(URL(string: running.address + "/thumb?url=\(origin)/held.png&w=10"))
      async let answer = URLSession.shared.data(from: url)
      await server.isAskedForHeldImage()

      running.terminate()
      server.release()

      let (image, response) = try await answer
      #expect((response as? HTTPURLResponse)?.statusCode == 200)
      #expect(try ImageDecoder.decode(image).width == 10)
      #expect(await running.status() == 0)
    }
  }

  @Test("counts requests, stages and memory")
  func metrics() async throws {
    try await withThumbnails { thumbnails, origin, _ in
      try await Application(router: thumbnails.router()).test(.router) { client in
        for _ in 0..<3 {
          _ = try await client.thumbnail("url=\(origin)/image.png&w=10")
          // Otherwise the next one finds it on its way into memory.
          await thumbnails.pipeline.flush()
        }
        _ = try await client.thumbnail("w=10")
      }
      let page = try await Application(router: thumbnails.statusRouter()).test(.router) { client in
        try await client.execute(uri: "/metrics", method: .get) { String(buffer: $0.body) }
      }

      #expect(page.contains("thumbnail_requests_total{status=\"200\"} 3\n"))
      #expect(page.contains("thumbnail_requests_total{status=\"400\"} 1\n"))
      #expect(page.contains("thumbnail_refusals_total{code=\"query.url\"} 1\n"))
      #expect(page.contains("thumbnail_request_duration_seconds_bucket{le=\"+Inf\"} 4\n"))
      #expect(page.contains("image_stage_duration_seconds_count{stage=\"encode\",outcome=\"succeeded\"} 1\n"))
      #expect(page.contains("image_work_waiting{work=\"loading\"} 0\n"))
      #expect(page.contains("thumbnail_memory_reads_total{outcome=\"hit\"} 2\n"))
    }
  }
}

@Suite("A format")
struct ThumbnailFormatTests {
  @Test(
    "is one that the client names, the one it likes best",
    arguments: [
      ("image/avif,image/webp,*/*;q=0.8", "webp"), ("image/avif;q=0.9, image/webp;q=0.8", "avif"),
      ("image/avif, image/webp;q=0", "avif"), ("IMAGE/WEBP", "webp"), ("image/webp;q=none", nil),
      ("*/*", nil),
      ("image/*", nil), ("image/jpeg", nil), ("", nil), (nil, nil),
    ])
  func negotiation(_ accept: String?, _ format: String?) {
    #expect(ThumbnailFormat.best(of: [.webp, .avif], accept: accept)?.rawValue == format)
  }

  @Test("that the server does not offer is not chosen")
  func offered() {
    #expect(ThumbnailFormat.best(of: [.avif], accept: "image/webp") == nil)
    #expect(ThumbnailFormat.best(of: [], accept: "image/webp") == nil)
  }
}
