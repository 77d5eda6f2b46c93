import Foundation
import LoopbackServer
import StreamImages
import StreamImagesTesting
import Testing

/// What frames of HTTP/2 leave behind on a connection. nginx only adds TLS.
@Suite(
  "Nginx: frames", .enabled(if: Nginx.environment["NGINX_FRAMES"] != nil), .serialized,
  .timeLimit(.minutes(5)))
struct NginxFrameTests {
  struct Response: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// The frames for a stream.
    let frames: @Sendable (UInt32) -> [UInt8]
    /// `nil` if the response is not whole.
    var body: String? = "first"
    /// Whether the next request is sent on the same connection; `nil` if either is right.
    let isKept: Bool?

    init(
      _ name: String, body: String? = "first", isKept: Bool?,
      _ frames: @escaping @Sendable (UInt32) -> [UInt8]
    ) {
      (testDescription, self.body, self.isKept, self.frames) = (name, body, isKept, frames)
    }
  }

  private static func whole(_ stream: UInt32, _ text: String) -> [UInt8] {
    FrameServer.head(stream, length: text.utf8.count) + FrameServer.data(stream, text)
  }

  private static func reset(_ stream: UInt32, _ code: UInt8) -> [UInt8] {
    FrameServer.frame(type: 3, stream: stream, [0, 0, 0, code])
  }

  static let responses: [Response] = [
    Response("length", isKept: true) { whole($0, "first") },
    Response("no length", isKept: true) { FrameServer.head($0) + FrameServer.data($0, "first") },
    Response("no body", body: "", isKept: true) { FrameServer.head($0, ends: true) },
    Response("informational head", isKept: true) { FrameServer.head($0, status: "103") + whole($0, "first") },
    Response("trailers", isKept: true) { stream in
      FrameServer.head(stream) + FrameServer.data(stream, "first", ends: false)
        + FrameServer.frame(type: 1, flags: 5, stream: stream, [0, 1, 0x78, 1, 0x31])
    },
    Response("other frames between", isKept: true) { stream in
      let ping = FrameServer.frame(type: 6, stream: 0, Array(repeating: 1, count: 8))
      let window = FrameServer.frame(type: 8, stream: stream, [0, 0, 1, 0])
      let unknown = FrameServer.frame(type: 0x77, stream: 0, [1, 2, 3])
      let parts: [[UInt8]] = [
        FrameServer.head(stream, length: 5), ping, window, unknown, FrameServer.data(stream, "first"), ping,
      ]
      return parts.flatMap(\.self)
    },
    Response("GOAWAY", isKept: false) { stream in
      whole(stream, "first") + FrameServer.frame(type: 7, stream: 0, [0, 0, 0, UInt8(stream), 0, 0, 0, 0])
    },
    Response("reset after its end", isKept: true) { whole($0, "first") + reset($0, 0) },
    Response("another response on its stream", isKept: nil) { whole($0, "first") + whole($0, "wrong") },
    Response("a response on the next stream", isKept: nil) { whole($0, "first") + whole($0 + 2, "wrong") },
    Response("a promise", isKept: nil) { stream in
      whole(stream, "first") + FrameServer.frame(type: 5, flags: 4, stream: stream, [0, 0, 0, 2, 0x82])
    },
    Response("more than its length", body: nil, isKept: nil) { stream in
      FrameServer.head(stream, length: 5) + FrameServer.data(stream, "first and more")
    },
    Response("reset as if complete", body: nil, isKept: nil) { stream in
      FrameServer.head(stream, length: 9) + FrameServer.data(stream, "first", ends: false) + reset(stream, 0)
    },
    Response("cancelled", body: nil, isKept: nil) { stream in
      FrameServer.head(stream) + FrameServer.data(stream, "first", ends: false) + reset(stream, 8)
    },
    Response("a body without a head", body: nil, isKept: nil) { FrameServer.data($0, "first") },
    Response("a large head", body: nil, isKept: nil) { stream in
      FrameServer.head(stream, fieldCount: 40) + FrameServer.data(stream, "first")
    },
  ]

  private let base = Nginx.environment["NGINX_FRAMES"] ?? ""

  /// A server whose first response is the frames, and each later one is whole.
  private func withServer(
    _ first: @escaping @Sendable (FrameServer.Request, ([UInt8]) -> Bool) -> Void,
    _ test: (FrameServer, Shared<Bool>, CurlLoader) async throws -> Void
  ) async throws {
    let isFirst = Shared(true)
    let port = try #require(UInt16(Nginx.environment["NGINX_FRAMES_PORT"] ?? ""))
    let server = try FrameServer(at: port) { request, send in
      if isFirst.value { first(request, send) } else { _ = send(Self.whole(request.stream, "second")) }
    }
    let loader = Way.http2.loader()
    defer {
      loader.invalidate()
      server.stop()
    }
    try await RealTime.run { try await test(server, isFirst, loader) }
  }

  private func load(_ loader: CurlLoader) async throws(DataLoadingError) -> String {
    String(
      decoding: try await loader.data(for: DataRequest(url: URL(string: base + "/")!)).body, as: UTF8.self)
  }

  private func expectSecond(_ loader: CurlLoader) async throws {
    for _ in 0..<3 {
      let body = try await load(loader)
      #expect(body == "second")
    }
  }

  @Test("Each response is whole, and the next one is that of its own request", arguments: responses)
  func frames(_ response: Response) async throws {
    try await withServer({ request, send in _ = send(response.frames(request.stream)) }) {
      server, isFirst, loader in
      var body: String?
      do { body = try await load(loader) } catch {}
      let connection = server.last.connection
      isFirst.change { $0 = false }

      #expect(body == response.body)
      try await expectSecond(loader)
      if let isKept = response.isKept { #expect((server.last.connection == connection) == isKept) }
    }
  }

  static let refusals: [Response] = [
    Response("REFUSED_STREAM", isKept: nil) { reset($0, 7) },
    Response("GOAWAY", isKept: nil) { _ in
      FrameServer.frame(type: 7, stream: 0, [UInt8](repeating: 0, count: 8))
    },
  ]

  @Test("A request that the server did not process is sent again", arguments: refusals)
  func unprocessed(_ refusal: Response) async throws {
    try await withServer({ request, send in
      _ = send(request.number == 1 ? refusal.frames(request.stream) : Self.whole(request.stream, "second"))
    }) { server, _, loader in
      try await expectSecond(loader)
      #expect(server.last.count == 4)
    }
  }

  @Test(
    "A response that comes before its request is not taken, whatever stream it names",
    arguments: [0, 2, 4] as [UInt32])
  func late(_ offset: UInt32) async throws {
    let port = UInt16(try #require(URL(string: base)?.port))
    let gate = try ResponseGate()
    try await withServer({ request, send in
      guard send(Self.whole(request.stream, "first")) else { return }
      gate.wait()
      _ = send(Self.whole(request.stream + offset, "wrong"))
    }) { _, isFirst, loader in
      let first = try await load(loader)
      #expect(first == "first")
      isFirst.change { $0 = false }
      gate.open()
      await until { (try? Descriptors.unreadBytes(from: port)) ?? 0 > 0 }

      try await expectSecond(loader)
    }
  }

  @Test("A response that was given up does not hold up the next load on its connection")
  func givenUp() async throws {
    let port = UInt16(try #require(URL(string: base)?.port))
    let gate = try ResponseGate()
    try await withServer({ request, send in
      gate.wait()
      _ = send(Self.whole(request.stream, "first"))
    }) { server, isFirst, loader in
      let task = Task { try await load(loader) }
      await until { server.last.count == 1 }
      task.cancel()
      _ = try? await task.value
      isFirst.change { $0 = false }
      gate.open()
      await until { (try? Descriptors.unreadBytes(from: port)) ?? 0 > 0 }

      try await expectSecond(loader)
    }
  }

  @Test("A head above the limit of libcurl is an error of its own, and no lost connection")
  func largeHead() async throws {
    try await withServer({ request, send in
      _ = send(FrameServer.head(request.stream, fieldCount: 40) + FrameServer.data(request.stream, "first"))
    }) { server, _, loader in
      let error = await failure { () throws(DataLoadingError) in try await load(loader) }

      #expect(error == .headTooLarge)
      // libcurl repeats it once by itself.
      #expect(server.last.count <= 2)
    }
  }
}
