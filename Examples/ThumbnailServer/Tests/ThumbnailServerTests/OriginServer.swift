import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import StreamImages
import StreamImagesTesting
import Synchronization
import ThumbnailServer

/// A server that has images, and others things that a thumbnail server may be asked for.
final class OriginServer: Sendable {
  private let paths = Mutex<[String]>([])
  private let asked = AsyncStream.makeStream(of: Void.self)
  private let released = Latch()
  private let abandoned = AsyncStream.makeStream(of: Void.self)
  /// The header fields of `kept.png`.
  let keptFields = Mutex(HTTPFields())
  /// What was stored in the bucket `results`.
  private let objects = Mutex<[String: ByteBuffer]>([:])

  private let slowRequests = Mutex(
    (count: 0, waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)]()))
  /// Requests for `slow/…` are answered once it is open.
  let slow = Latch()

  /// Waits until there were so many requests for `slow/…`.
  func waitForSlow(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = slowRequests.withLock { slow in
        if slow.count < count { slow.waiting.append((count, continuation)) }
        return slow.count >= count
      }
      if isThere { continuation.resume() }
    }
  }

  private func countSlow() {
    let reached = slowRequests.withLock { slow in
      slow.count += 1
      let count = slow.count
      defer { slow.waiting.removeAll { $0.count <= count } }
      return slow.waiting.filter { $0.count <= count }
    }
    for waiting in reached { waiting.continuation.resume() }
  }

  /// The paths of images that were asked for.
  var requests: [String] { paths.withLock { $0 } }

  /// Waits until `held.png` is asked for, which is not answered before ``release()``.
  func isAskedForHeldImage() async { for await _ in asked.stream { return } }

  /// Answers requests for `held.png`, those that come later, too.
  func release() { released.open() }

  /// Waits until the connection of a request for `abandoned.png` is closed, which is not answered before.
  func isAbandoned() async { for await _ in abandoned.stream { return } }

  func router() -> Router<BasicRequestContext> {
    let router = Router()
    router.get("held.png") { [self] _, _ in
      asked.continuation.yield()
      await released.wait()
      return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(bytes: try Self.image)))
    }
    router.get("abandoned.png") { [asked, abandoned] request, _ in
      try await request.body.consumeWithCancellationOnInboundClose { _ in
        asked.continuation.yield()
        for await _ in AsyncStream<Never>.makeStream().stream {}
        abandoned.continuation.yield()
        return Response(status: .noContent)
      }
    }
    router.get("kept.png") { [self] request, _ in
      let count = paths.withLock { paths in
        paths.append(request.uri.path)
        return paths.count
      }
      // Another image for each request.
      let pixels = [UInt8](repeating: UInt8(clamping: count * 40), count: 64 * 64 * 3)
      let image = try ImageEncoder.encode(
        Image(bytes: pixels, width: 64, height: 64, pixelFormat: .rgb8), as: .png)
      return Response(
        status: .ok, headers: keptFields.withLock { $0 },
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: image)))
    }
    router.put("results/**") { [self] request, _ in
      let body = try await request.body.collect(upTo: 1 << 20)
      objects.withLock { $0[request.uri.path] = body }
      return Response(status: .ok)
    }
    router.get("results/**") { [self] request, _ in
      guard let body = objects.withLock({ $0[request.uri.path] }) else { return Response(status: .notFound) }
      return Response(status: .ok, body: ResponseBody(byteBuffer: body))
    }
    router.get("slow/:name") { [self] _, _ in
      countSlow()
      await slow.wait()
      return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(bytes: try Self.image)))
    }
    router.get("photo.jpg") { _, _ in
      let photo = try ImageEncoder.encode(
        Image(
          bytes: [UInt8](repeating: 90, count: 640 * 480 * 3), width: 640, height: 480, pixelFormat: .rgb8),
        as: .jpeg())
      return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(bytes: photo)))
    }
    router.get("image.png") { [self] request, _ in
      paths.withLock { $0.append(request.uri.path) }
      return Response(
        status: .ok, headers: [.contentType: "image/png"],
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: try Self.image)))
    }
    router.get("quarters.png") { _, _ in
      Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(bytes: try Self.quarters)))
    }
    router.get("framed.png") { _, _ in
      Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(bytes: try Self.framed)))
    }
    router.get("bucket/a%20photo.png") { request, _ in
      let isSigned = request.headers[.authorization]?.hasPrefix("AWS4-HMAC-SHA256 Credential=reader/") == true
      guard isSigned else { return Response(status: .forbidden) }
      return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(bytes: try Self.quarters)))
    }
    router.get("page") { _, _ in
      Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: "<html></html>")))
    }
    router.get("moved") { _, _ in
      Response(status: .found, headers: [.location: "http://127.0.0.2:1/image.png"])
    }
    router.get("moved/file") { _, _ in
      Response(status: .found, headers: [.location: "file:///etc/passwd"])
    }
    router.get("broken") { _, _ in Response(status: .badGateway) }
    return router
  }

  /// 400 × 200 pixels: red and green above blue and white.
  static var quarters: [UInt8] {
    get throws {
      let colors: [[UInt8]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]
      var bytes: [UInt8] = []
      for pixel in 0..<(400 * 200) {
        bytes += colors[(pixel / 400 < 100 ? 0 : 2) + (pixel % 400 < 200 ? 0 : 1)]
      }
      return try ImageEncoder.encode(
        try Image(bytes: bytes, width: 400, height: 200, pixelFormat: .rgb8), as: .png)
    }
  }

  /// 40 × 20 blue pixels in the middle of 100 × 100 white ones.
  static var framed: [UInt8] {
    get throws {
      var bytes: [UInt8] = []
      for pixel in 0..<(100 * 100) {
        let isInside = (40..<60).contains(pixel / 100) && (30..<70).contains(pixel % 100)
        bytes += isInside ? [0, 0, 255] : [255, 255, 255]
      }
      return try ImageEncoder.encode(
        try Image(bytes: bytes, width: 100, height: 100, pixelFormat: .rgb8), as: .png)
    }
  }

  /// 640 × 480 pixels, half of them transparent.
  static var image: [UInt8] {
    get throws {
      var bytes: [UInt8] = []
      for pixel in 0..<(640 * 480) { bytes += [UInt8(pixel & 255), 128, 64, pixel % 2 == 0 ? 255 : 0] }
      let image = try Image(bytes: bytes, width: 640, height: 480, pixelFormat: .rgba8)
      return try ImageEncoder.encode(image, as: .png)
    }
  }
}

/// Runs an origin, a thumbnail server in front of it, and a body with the server's client and the URL of the origin.
func withServers(
  _ change: (inout Thumbnails.Settings) -> Void = { _ in },
  _ body: @escaping @Sendable (any TestClientProtocol, _ origin: String, OriginServer) async throws -> Void
) async throws {
  try await withThumbnails(change) { thumbnails, url, origin in
    try await Application(router: thumbnails.router()).test(.router) { try await body($0, url, origin) }
  }
}

/// Runs an origin, and a body with what makes thumbnails of its images.
func withThumbnails(
  _ change: (inout Thumbnails.Settings) -> Void = { _ in },
  _ body: @escaping @Sendable (Thumbnails, _ origin: String, OriginServer) async throws -> Void
) async throws {
  let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  defer { try? FileManager.default.removeItem(at: directory) }
  let thumbnails = makeThumbnails(in: directory, change)
  try await withOrigin { url, origin in
    try await body(thumbnails, url, origin)
    await thumbnails.pipeline.flush()
  }
}

/// What makes thumbnails, and keeps them in a directory.
func makeThumbnails(in directory: URL, _ change: (inout Thumbnails.Settings) -> Void) -> Thumbnails {
  var settings = Thumbnails.Settings(hosts: ["localhost:*"])
  settings.addresses = .any
  // The tests are no worker, but the server beside them is.
  settings.isolation = .process(WorkerSettings(program: .path(serverProgram.path)))
  change(&settings)
  return Thumbnails(settings, directory: directory, diskLimit: 1 << 20, memoryLimit: 1 << 20)
}

/// Runs an origin, and a body with its URL.
func withOrigin(_ body: @escaping @Sendable (_ url: String, OriginServer) async throws -> Void) async throws {
  let origin = OriginServer()
  let application = Application(
    router: origin.router(), configuration: .init(address: .hostname("localhost", port: 0)))
  try await application.test(.live) { client in
    guard let port = client.port else { preconditionFailure("a live server has a port") }
    try await body("http://localhost:\(port)", origin)
  }
}

/// The program that is built beside these tests.
let serverProgram = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
  .deletingLastPathComponent().appending(path: "ThumbnailServer")

extension TestClientProtocol {
  func thumbnail(_ query: String, _ headers: HTTPFields = [:]) async throws -> TestResponse {
    try await execute(uri: "/thumb?\(query)", method: .get, headers: headers) { $0 }
  }
}
