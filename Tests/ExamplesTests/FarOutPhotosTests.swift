import Foundation
import StreamImages
import StreamsExtras
import Testing

/// The gallery, asked as a browser asks it. `Scripts/gallery` looks at its page in a real one.
@Suite("FarOutPhotos", .timeLimit(.minutes(20)))
final class FarOutPhotosTests {
  private static let pictureSize = PixelSize(width: 600, height: 300)

  private let folder: Folder
  private let program: Program
  private let address: URL

  /// With a picture of its own, which comes first.
  init() throws {
    folder = try Folder()
    let size = Self.pictureSize
    let image = try Image(width: size.width, height: size.height, pixelFormat: .rgb8)
    let file = folder.url.appending(path: "mine.png")
    try Data(ImageEncoder.encode(image, as: .png)).write(to: file)
    program = try Program("FarOutPhotos", ["--port", "0", "--cache", folder.path("cache"), file.path])
    _ = program.output(upTo: "photographs at ")
    let port = program.output(upTo: "/\n").split(separator: ":").last.map { $0.dropLast(2) } ?? ""
    address = try #require(URL(string: "http://127.0.0.1:\(port)/"))
  }

  deinit { program.end() }

  private func load(_ path: String, _ headers: HeaderFields = [:]) async throws -> LoadedData {
    var network = CurlLoader.Configuration()
    network.proxy = .none
    let url = try #require(URL(string: address.absoluteString + path))
    var request = DataRequest(url: url, headers: headers)
    request.acceptedStatuses = Set(200..<600)
    // A server without optimizations may need long for a large image, above all on a busy machine.
    var limits = LoadLimits()
    (limits.connectTimeout, limits.firstByteTimeout) = (.seconds(600), .seconds(600))
    (limits.idleTimeout, limits.totalTimeout) = (.seconds(600), .seconds(1200))
    return try await CurlLoader(network).load(request, limits: limits)
  }

  private func get(_ path: String, _ headers: HeaderFields = [:]) async throws -> (
    head: LoadedHead, body: Data
  ) {
    let loaded = try await load(path, headers)
    return (loaded.head, try await loaded.collect())
  }

  @Test("FarOutPhotos serves its page, its assets and the list of photos")
  func page() async throws {
    for (path, type) in [("", "text/html"), ("style.css", "text/css"), ("script.js", "text/javascript")] {
      let (head, body) = try await get(path)
      #expect(head.status == 200 && head.contentType == type && !body.isEmpty)
    }

    let list = try JSONSerialization.jsonObject(with: try await get("photos.json").body)
    let photos = try #require(list as? [[String: any Sendable]])

    #expect(photos.count == 64 && Set(photos.compactMap { $0["version"] as? String }).count == 64)
    #expect(photos[0]["name"] as? String == "mine" && photos[0]["width"] as? Int == 600)
  }

  @Test("FarOutPhotos serves filled, fitted and original images")
  func modes() async throws {
    let fill = try await get("photos/0/fill/120x120").body
    let fit = try await get("photos/0/fit/120x120").body
    let original = try await get("photos/0/original").body

    #expect(try ImageDecoder.info(of: Array(fill)).size == PixelSize(width: 120, height: 120))
    #expect(try ImageDecoder.info(of: Array(fit)).size == PixelSize(width: 120, height: 60))
    #expect(original == (try Data(contentsOf: folder.url.appending(path: "mine.png"))))
  }

  @Test("FarOutPhotos sends strong ETags and caching headers and responds 304 on revalidation")
  func validators() async throws {
    let list = try JSONSerialization.jsonObject(with: try await get("photos.json").body)
    let version = try #require((list as? [[String: any Sendable]])?.first?["version"] as? String)
    let first = try await get("photos/0-\(version)/fill/120x120").head
    let tag = try #require(first.headers["ETag"])

    let again = try await get("photos/0-\(version)/fill/120x120", ["If-None-Match": "\"other\", \(tag)"])
    let other = try await get("photos/0/fit/120x120", ["If-None-Match": tag])

    #expect(tag.hasPrefix("\"") && first.headers["Cache-Control"] == "public, max-age=86400")
    #expect(again.head.status == 304 && again.body.isEmpty && again.head.headers["ETag"] == tag)
    #expect(other.head.status == 200 && other.head.headers["ETag"] != tag)
  }

  @Test(
    "FarOutPhotos has an image revalidated if its address does not have the version of its photo",
    arguments: ["photos/0/fill/120x120", "photos/0-/fill/120x120", "photos/0-old/original"])
  func versions(path: String) async throws {
    let head = try await get(path).head

    #expect(head.status == 200 && head.headers["Cache-Control"] == "no-cache" && head.headers["ETag"] != nil)
  }

  @Test("FarOutPhotos responds with an error that is not cached for a missing image")
  func failures() async throws {
    for (path, status) in [
      ("photos/7/fill/120x120", 404), ("photos/9/fill/120x120", 502), ("photos/0/fill/121x120", 404),
      ("photos/0/fill/4000x4000", 404), ("photos/0/stretch/120x120", 404), ("photos/64/fill/120x120", 404),
      ("photos/-1/original", 404), ("photos/0/original/more", 404), ("nothing", 404),
      ("ahead?page=none", 404),
    ] {
      let (head, body) = try await get(path)
      #expect(head.status == status && head.headers["Cache-Control"] == "no-store", "\(path)")
      #expect(body.count > 20)
    }
  }

  @Test("FarOutPhotos sends progress events, prepares images ahead and cancels abandoned loads")
  func events() async throws {
    let events = try await load("events?page=test")
    var told = ""
    /// Waits for an event that says so.
    func wait(for text: String) async throws {
      while !told.contains(text), let piece = try await events.body.next() {
        told = String(decoding: piece, as: UTF8.self)
      }
      #expect(told.contains(text))
    }

    try await wait(for: #""made":0"#)
    let prepared = try await get("ahead?page=test&mode=fill&size=80x80&photos=0")
    try await wait(for: #""made":1"#)
    _ = try await get("photos/0/fill/80x80")
    try await wait(for: #""hits":1"#)
    // A hundred megapixels, of which nobody wants more than a piece.
    let original = try await load("photos/4/original")
    _ = try await original.body.next()
    original.body.cancel()
    try await wait(for: #""cancelled":1"#)

    #expect(prepared.head.status == 200 && original.head.headers["Content-Type"] == "image/jpeg")
    events.body.cancel()
  }

  @Test("FarOutPhotos keeps the visit of a page that connects again before its old connection ends")
  func reconnection() async throws {
    let old = try EventConnection(to: UInt16(address.port ?? 0), page: "test")
    let new = try await load("events?page=test")
    _ = try await new.body.next()

    old.hangUp()
    let prepared = try await get("ahead?page=test&mode=fill&size=80x80&photos=0")

    #expect(prepared.head.status == 200)
    new.body.cancel()
  }
}

/// A client of `/events` that sees when the server has ended its visit.
private final class EventConnection {
  private let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)

  /// Returns once the first event is here.
  init(to port: UInt16, page: String) throws {
    var server = sockaddr_in()
    server.sin_family = sa_family_t(AF_INET)
    server.sin_port = port.bigEndian
    server.sin_addr.s_addr = inet_addr("127.0.0.1")
    let isConnected = withUnsafePointer(to: &server) { server in
      server.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    try #require(isConnected)
    let request = "GET /events?page=\(page) HTTP/1.1\r\n\r\n"
    try #require(send(descriptor, request, request.utf8.count, Int32(MSG_NOSIGNAL)) == request.utf8.count)
    var received = ""
    while !received.contains("data:") { received += try #require(receive()) }
  }

  deinit { close(descriptor) }

  /// Sends nothing more, and waits until the server closes the connection, which it does after the visit.
  func hangUp() {
    shutdown(descriptor, Int32(SHUT_WR))
    while receive() != nil {}
  }

  /// `nil` at the end.
  private func receive() -> String? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
  }
}

@Suite("FarOutPhotos: options", .timeLimit(.minutes(20)))
struct FarOutPhotosOptionTests {
  @Test("FarOutPhotos refuses invalid options", arguments: [["--port", "x"], ["--nothing"], ["--cache"]])
  func mistakes(arguments: [String]) throws {
    let program = try Program("FarOutPhotos", arguments)

    #expect(program.lines().isEmpty)
    #expect(program.status() == 2)
    #expect(program.errors().hasPrefix("FarOutPhotos: "))
  }
}
