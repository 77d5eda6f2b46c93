import Foundation
import StreamImages
import Testing

@Suite("ChainedLoad", .timeLimit(.minutes(20)))
struct ChainedLoadTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func run(_ sources: String...) throws -> Program {
    try Program(
      "ChainedLoad",
      ["--cache", folder.path("cache"), "--output", folder.path("output"), "--size", "40"] + sources)
  }

  @Test("ChainedLoad shows and saves the resized image first, then the original")
  func steps() throws {
    let image = try Image(width: 120, height: 60, pixelFormat: .rgb8)
    try Data(ImageEncoder.encode(image, as: .png)).write(to: folder.url.appending(path: "photo.png"))

    let program = try run(folder.path("photo.png"))
    let lines = program.lines()

    #expect(program.status() == 0, "\(program.errors())")
    let resized = try #require(lines.firstIndex { $0.contains("resized") && $0.contains("40 × 20 pixels") })
    let original = try #require(
      lines.firstIndex { $0.contains("original") && $0.contains("120 × 60 pixels") })
    #expect(resized < original)
    #expect(folder.names(in: "output").count == 2)
  }

  @Test("The placeholders in the index of ChainedLoad are those of its photographs")
  func index() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Examples/ChainedLoad")
    let source = try String(contentsOf: folder.appending(path: "PhotographServer.swift"), encoding: .utf8)

    let entries = source.matches(of: /\("([a-z]+\.(?:jpg|png))", "([^"]+)"\)/)

    #expect(entries.count == 3)
    for entry in entries {
      let file = try Data(contentsOf: folder.appending(path: "Photographs/\(entry.1)"))
      let hash = try ThumbHash(encoding: ImageDecoder.decode(file))
      #expect(hash.description == entry.2, "\(entry.1)")
    }
  }

  @Test("ChainedLoad shows the failure image, prints the error and exits with 1")
  func failure() throws {
    let program = try run(folder.path("nothing.png"))

    let lines = program.lines()

    #expect(program.status() == 1)
    #expect(lines.contains { $0.contains("failure image") })
    #expect(program.errors().hasPrefix("ChainedLoad: "))
  }

  @Test("ChainedLoad draws both images in a terminal, the second one larger")
  func terminal() throws {
    let image = try Image(width: 120, height: 60, pixelFormat: .rgb8)
    try Data(ImageEncoder.encode(image, as: .png)).write(to: folder.url.appending(path: "photo.png"))
    let terminal = try PseudoTerminal()

    let program = try Program(
      "ChainedLoad",
      [
        "--cache", folder.path("cache"), "--output", folder.path("output"), "--size", "40",
        folder.path("photo.png"),
      ],
      in: terminal)
    let widths = program.lines().map { $0.split(separator: "▀", omittingEmptySubsequences: false).count - 1 }

    // A third of the columns; then as many as a picture of five to four has that is as high as the terminal.
    #expect(widths.contains(26) && widths.contains(50))
    #expect(program.status() == 0, "\(program.errors())")
  }
}
