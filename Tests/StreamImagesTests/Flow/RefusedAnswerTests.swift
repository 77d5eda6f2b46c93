import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite("HTTP cache: rejected responses", .timeLimit(.minutes(1)))
struct RefusedAnswerTests {
  private func pipeline(_ workshop: Workshop) -> ImagePipeline {
    workshop.pipeline {
      $0.dataLoader = SchemeLoader(
        network: HTTPCache(workshop.loader, store: DataCache(directory: workshop.cacheDirectory)))
      ($0.dataCache, $0.imageCache) = (nil, nil)
    }
  }

  private func lasting(_ body: Data) -> Reply {
    Reply(body: body).with { $0.headers = [("Cache-Control", "max-age=1000")] }
  }

  @Test(
    "A response that the pipeline rejects is not kept in the HTTP cache",
    arguments: ["page", "damaged", "other bytes", "redirected"])
  func refused(_ kind: String) async throws {
    try await withWorkshop { workshop in
      let bytes = try Pictures.png(8, 4)
      let page = Data("<html>Please sign in".utf8)
      let wrong =
        switch kind {
        case "damaged": Data(bytes.prefix(40))
        case "other bytes": try Pictures.png(16, 4)
        default: page
        }
      workshop.server.serve("/a", inTurn: [lasting(wrong), lasting(bytes)])
      workshop.server.serve("/b", .redirect(to: "/a", status: 302))
      var request = ImageRequest(url: workshop.server.url(kind == "redirected" ? "/b" : "/a"))
      if kind == "other bytes" { request.integrity = Integrity(of: bytes) }
      let pipeline = pipeline(workshop)

      let error = await pipeline.imageTask(with: request).failure()
      switch (kind, error) {
      case ("damaged", .decodingFailed), ("other bytes", .integrityMismatch), ("page", .notAnImage),
        ("redirected", .notAnImage):
        break
      default: unexpected(error)
      }

      #expect(try await pipeline.image(for: request).width == 8)
      #expect(try await pipeline.response(for: request).httpCacheStatus == .hit)
      #expect(workshop.loads(of: "/a") == 2)
    }
  }

  @Test("A response that is not an image is not kept for an unprocessed encoded image either")
  func refusedEncoded() async throws {
    try await withWorkshop { workshop in
      let bytes = try Pictures.png(8, 4)
      workshop.server.serve("/a", inTurn: [lasting(Data("<html>Please sign in".utf8)), lasting(bytes)])
      let (pipeline, url) = (pipeline(workshop), workshop.server.url("/a"))

      let error = await imageFailure { () throws(ImagePipeline.Error) in
        try await pipeline.encodedImage(for: url)
      }
      guard case .notAnImage = error else { return unexpected(error) }

      #expect(try await pipeline.encodedImage(for: url).data == bytes)
      #expect(workshop.loads(of: "/a") == 2)
    }
  }

  @Test("Reloading bypasses the HTTP cache and updates it")
  func reloading() async throws {
    try await withWorkshop { workshop in
      let (old, new) = (try Pictures.png(8, 4), try Pictures.png(16, 4))
      workshop.server.serve("/a", inTurn: [lasting(old), lasting(new)])
      let url = workshop.server.url("/a")
      let pipeline = pipeline(workshop)
      _ = try await pipeline.image(for: url)

      let reloaded = try await pipeline.image(for: ImageRequest(url: url, options: .reloadIgnoringCachedData))

      #expect(reloaded.width == 16)
      #expect(try await pipeline.response(for: url).httpCacheStatus == .hit)
      #expect(try await pipeline.image(for: url).width == 16)
    }
  }

  @Test("A rejected response is not kept either if a redirect to another origin dropped the credentials")
  func refusedElsewhere() async throws {
    try await withWorkshop { workshop in
      let elsewhere = try LoopbackServer()
      defer { elsewhere.stop() }
      workshop.server.serve("/a", .redirect(to: elsewhere.url("/b").absoluteString, status: 302))
      elsewhere.serve(
        "/b", inTurn: [lasting(Data("<html>Please sign in".utf8)), lasting(try Pictures.png(8, 4))])
      let pipeline = pipeline(workshop)
      let request = ImageRequest(
        DataRequest(url: workshop.server.url("/a"), headers: ["Authorization": "secret"]))

      let error = await pipeline.imageTask(with: request).failure()
      guard case .notAnImage = error else { return unexpected(error) }

      #expect(try await pipeline.image(for: request).width == 8)
      #expect(elsewhere.requests.count == 2)
    }
  }
}
