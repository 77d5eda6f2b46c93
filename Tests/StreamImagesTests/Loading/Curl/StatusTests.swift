import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite struct StatusTests {
  @Test(
    "A status that is not accepted is an error with its head", arguments: [404, 500, 401, 300, 304])
  func refused(status: Int) async throws {
    try await withLoopback { server, loader in
      server.serve("/a", .status(status).with { $0.headers.append(("Retry-After", "7")) })

      let error = await failure { () throws(DataLoadingError) in
        try await loader.load(DataRequest(url: server.url("/a")))
      }

      guard case .status(status, let head)? = error else { return unexpected(error) }
      #expect(head.headers["Retry-After"] == "7")
      #expect(error?.isTransient == (status == 500))
    }
  }

  @Test("Any status can be accepted")
  func accepted() async throws {
    try await withLoopback { server, loader in
      server.serve("/a", .html("gone", status: 410))
      var request = DataRequest(url: server.url("/a"))
      request.acceptedStatuses = [410]

      let (head, body) = try await loader.data(for: request)

      #expect(head.status == 410)
      #expect(body == Data("gone".utf8))
    }
  }

  @Test("A conditional request returns 304 without a body")
  func revalidation() async throws {
    try await withLoopback { server, loader in
      server.serve("/a", .bytes(pattern(100)).with { $0.entityTag = "\"1\"" })
      var request = DataRequest(url: server.url("/a"))
      request.headers = ["If-None-Match": "\"1\""]
      request.acceptedStatuses.insert(304)

      let (head, body) = try await loader.data(for: request)

      #expect(head.status == 304)
      #expect(head.headers["ETag"] == "\"1\"")
      #expect(head.expectedByteCount == 0)
      #expect(body.isEmpty)
    }
  }

  @Test("A range request returns the requested part")
  func range() async throws {
    try await withLoopback { server, loader in
      server.serve("/a", .bytes(pattern(1000)).with { $0.acceptsRanges = true })
      var request = DataRequest(url: server.url("/a"))
      request.headers = ["Range": "bytes=400-"]

      let (head, body) = try await loader.data(for: request)

      #expect(head.status == 206)
      #expect(head.partial == LoadedHead.ByteRange(bytes: 400..<1000, total: 1000))
      #expect(head.expectedByteCount == 600)
      #expect(body == pattern(1000).suffix(600))
    }
  }

  @Test("A range beyond the end returns 416, which can be accepted")
  func unsatisfiable() async throws {
    try await withLoopback { server, loader in
      server.serve("/a", .bytes(pattern(1000)).with { $0.acceptsRanges = true })
      var request = DataRequest(url: server.url("/a"))
      request.headers = ["Range": "bytes=1000-"]
      request.acceptedStatuses.insert(416)

      let head = try await loader.load(request).head

      #expect(head.status == 416)
      #expect(head.headers["Content-Range"] == "bytes */1000")
    }
  }

  @Test("A part that was not requested is refused")
  func wrongParts() async throws {
    try await withLoopback { server, loader in
      server.serve("/shifted", .failing(.shiftRange(by: 10)).with { $0.acceptsRanges = true })
      server.serve("/unasked", Reply(status: 206, body: pattern(10)))
      server.serve(
        "/unreadable",
        Reply(status: 206, body: pattern(10)).with { $0.headers = [("Content-Range", "bytes 5-4/3")] })

      for (path, range) in [("/shifted", "bytes=100-"), ("/unasked", nil), ("/unreadable", "bytes=5-")] {
        var request = DataRequest(url: server.url(path))
        if let range { request.headers["Range"] = range }
        let error = await failure { () throws(DataLoadingError) in try await loader.load(request) }

        guard case .protocolViolation? = error else {
          Issue.record("\(path): \(String(describing: error))")
          continue
        }
      }
    }
  }
}
