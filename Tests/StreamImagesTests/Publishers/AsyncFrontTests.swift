import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite("`ImagePipeline`: async functions", .timeLimit(.minutes(20)))
struct AsyncFrontTests {
  @Test("The async functions return the image, the response and the data")
  func results() async throws {
    try await withWorkshop { workshop in
      let bytes = try Pictures.png(20, 10)
      workshop.server.serve("/a", .bytes(bytes, type: "image/png"))
      let pipeline = workshop.pipeline()
      let url = workshop.server.url("/a")

      #expect(try await pipeline.image(for: url).size == PixelSize(width: 20, height: 10))
      #expect(try await pipeline.response(for: url).cacheSource == .memory)
      await pipeline.flush()
      let data = try await pipeline.data(for: url)
      #expect(data.data == bytes)
      #expect(data.contentType == "image/png")
      #expect(data.cacheSource == .disk)
      #expect(workshop.loads(of: "/a") == 1)
    }
  }

  @Test("An async load throws the error of the publisher")
  func failure() async throws {
    try await withWorkshop { workshop in
      let pipeline = workshop.pipeline()

      let error = await imageFailure { () throws(ImagePipeline.Error) in
        try await pipeline.image(for: workshop.server.url("/missing"))
      }

      guard case .dataLoadingFailed(.status(404, _)) = error else { return unexpected(error) }
    }
  }

  @Test("Cancelling the task throws and stops the load")
  func cancelling() async throws {
    try await withWorkshop { workshop in
      let pipeline = workshop.pipeline()
      workshop.server.serve("/a", .failing(.silence))
      let url = workshop.server.url("/a")

      let task = Task {
        await imageFailure { () throws(ImagePipeline.Error) in try await pipeline.image(for: url) }
      }
      _ = await workshop.server.waitForRequest("/a")
      task.cancel()

      guard case .cancelled? = await task.value else { return unexpected("a picture") }
      #expect(await workshop.server.waitForDeparture(from: "/a"))
    }
  }

  @Test("A load in a task that is already cancelled throws")
  func cancelledBefore() async throws {
    try await withWorkshop { workshop in
      let pipeline = workshop.pipeline()
      workshop.server.serve("/a", .failing(.silence))
      let url = workshop.server.url("/a")

      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return await imageFailure { () throws(ImagePipeline.Error) in try await pipeline.image(for: url) }
      }

      guard case .cancelled? = await task.value else { return unexpected("a picture") }
    }
  }

  @Test("Data that is not a valid image is returned and not stored", arguments: ["html", "huge"])
  func otherData(_ kind: String) async throws {
    try await withWorkshop { workshop in
      let body = kind == "html" ? Data("<html>sorry</html>".utf8) : Pictures.hugePNG
      workshop.server.serve("/a", .bytes(body, type: kind == "html" ? "text/html" : "image/png"))
      let pipeline = workshop.pipeline()

      let response = try await pipeline.data(for: workshop.server.url("/a"))
      await pipeline.flush()

      #expect(response.data == body)
      #expect(workshop.cachedFiles == [])
    }
  }
}
