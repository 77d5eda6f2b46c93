import Foundation
import LoopbackServer
import StreamImages
import TestSupport
import Testing

/// In a process of their own, whose memory nobody else uses. What takes minutes is in `Scripts/benchmark loading`.
@Suite(
  "Resource usage", .inRealTime, .timeLimit(.minutes(20)),
  .enabled(if: !isSanitized, "a sanitizer takes memory of its own, and much of it"))
struct ResourceTests {
  @Test("Stopping a decompression bomb of 500 MB grows the process by at most 16 MB")
  func bomb() throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("/bomb", .gzipped(try Gzip.zeros(500_000_000)))

    let worker = try Worker("load", server.url("/bomb").absoluteString, "coded", "1000000000")
    let said = try #require(worker.line())

    #expect(worker.ending() == 0)
    #expect(said.hasSuffix("ended The body is more than 100 times larger than its compressed form"))
    #expect(try #require(said.number(after: "grown")) <= 16 << 20)
  }

  @Test("Loading a body of 100 MB grows the process by at most 8 MB")
  func largeBody() throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("/large", .bytes(pattern(100_000_000)))

    let worker = try Worker("load", server.url("/large").absoluteString, "plain", "100000000")
    let said = try #require(worker.line())

    #expect(worker.ending() == 0)
    #expect(said.number(after: "received") == 100_000_000)
    #expect(try #require(said.number(after: "grown")) <= 8 << 20)
  }

  @Test("An announced length of 900 MB allocates at most 4 MB")
  func announced() throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("/a", .failing(.announce(length: "900000000"), body: pattern(1_000)))

    let worker = try Worker("load", server.url("/a").absoluteString, "plain", "1000000000")
    let said = try #require(worker.line())

    #expect(worker.ending() == 0)
    #expect(said.hasSuffix("ended The body ended early, after 1000 of 900000000 bytes"))
    #expect(try #require(said.number(after: "grown")) <= 4 << 20)
  }

  @Test("1,000 started and cancelled loads leave neither memory nor descriptors behind")
  func cycles() throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("/a", .bytes(pattern(20_000)))

    let worker = try Worker("cycle", server.url("/a").absoluteString, "1000")
    let said = try #require(worker.line())

    #expect(worker.ending() == 0)
    #expect(try #require(said.number(after: "grown")) <= 2 << 20)
    // Connections that are kept come and go.
    #expect(try #require(said.number(after: "descriptors")) <= 6)
  }

  @Test(
    "10,000 waiting requests take at most 6.6 KB each",
    arguments: ["image", "resized", "data"])
  func waiting(kind: String) throws {
    let folder = try TemporaryFolder()

    let worker = try Worker("wait", kind, folder.url.path, "10000")
    let said = try #require(worker.line())

    #expect(worker.ending() == 0)
    #expect(try #require(said.number(after: "grown")) <= 66_000_000)
  }

  @Test("4,000 reads of a file below a root leave no memory behind")
  func files() throws {
    let folder = try TemporaryFolder()
    // A long path: what is forgotten of it adds up to 12 MB.
    let directory = (0..<7).reduce(folder.url) { url, _ in
      url.appending(path: String(repeating: "a", count: 200))
    }
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let file = directory.appending(path: "a")
    try Data(count: 10).write(to: file)

    let worker = try Worker("read", file.path, directory.path, "4000")
    let said = try #require(worker.line())

    #expect(worker.ending() == 0)
    #expect(try #require(said.number(after: "grown")) <= 4 << 20)
  }
}
