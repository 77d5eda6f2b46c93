import Foundation
import StreamImages
import StreamsExtras
import Testing

@Suite("ImageCacheLoader", .timeLimit(.minutes(20)))
struct ImageCacheLoaderTests {
  /// What a round ends with, without the time it took.
  private func sums(_ lines: [String]) -> [String] {
    lines.filter { $0.hasPrefix("  hits: ") }.map { line in
      line.components(separatedBy: " · ").dropLast().joined(separator: " · ").trimmingCharacters(
        in: .whitespaces)
    }
  }

  @Test(
    "ImageCacheLoader misses, then hits the decoded and the encoded cache"
  )
  func rounds() throws {
    let program = try Program("ImageCacheLoader", [])

    let lines = program.lines()

    #expect(program.status() == 0, "\(program.errors())")
    #expect(
      sums(lines).prefix(3) == [
        "hits: 0 decoded, 0 encoded · misses: 5 · requests: 5",
        "hits: 4 decoded, 0 encoded · misses: 1 · requests: 1",
        "hits: 0 decoded, 4 encoded · misses: 1 · requests: 1",
      ])
    #expect(lines.count { $0.hasSuffix("240 × 160 pixels") } == 14)
    #expect(lines.count { $0.hasPrefix("  painting-5.jpg") && $0.hasSuffix("no image") } == 3)
  }

  @Test("ImageCacheLoader coalesces two concurrent requests into one load")
  func together() throws {
    let program = try Program("ImageCacheLoader", [])

    let sum = try #require(sums(program.lines()).last)

    #expect(sum.hasSuffix("requests: 1"))
    #expect(program.status() == 0, "\(program.errors())")
  }

  @Test(
    "The encoded cache of ImageCacheLoader keeps the 100 most recently used images",
    arguments: [
      (100, "hits: 0 decoded, 100 encoded · misses: 0"), (101, "hits: 0 decoded, 0 encoded · misses: 101"),
    ])
  func limit(count: Int, sum: String) throws {
    let folder = try Folder()
    let bytes = Data(try ImageEncoder.encode(Image(width: 2, height: 2, pixelFormat: .rgb8), as: .png))
    let files = (1...count).map { folder.url.appending(path: "\($0).png") }
    for file in files { try bytes.write(to: file) }

    let program = try Program("ImageCacheLoader", files.map(\.absoluteString))
    let sums = sums(program.lines())

    // Each is wanted when it has just gone, as the others are all younger.
    #expect(
      sums.prefix(3) == [
        "hits: 0 decoded, 0 encoded · misses: \(count)", "hits: \(count) decoded, 0 encoded · misses: 0", sum,
      ])
    #expect(program.status() == 0, "\(program.errors())")
  }

  @Test("ImageCacheLoader shows no image for an unreachable address and exits normally")
  func nowhere() throws {
    let program = try Program("ImageCacheLoader", ["http://127.0.0.1:1/nothing.png"])

    let lines = program.lines()

    #expect(program.status() == 0, "\(program.errors())")
    #expect(lines.count { $0.hasSuffix("no image") } == 5)
    #expect(lines.allSatisfy { !$0.contains("requests") })
  }

  @Test("ImageCacheLoader refuses an invalid URL", arguments: ["not a URL", "photo.jpg", "--size"])
  func mistakes(word: String) throws {
    let program = try Program("ImageCacheLoader", [word])

    #expect(program.lines().isEmpty)
    #expect(program.status() == 2)
    #expect(program.errors().hasPrefix("ImageCacheLoader: "))
  }
}
