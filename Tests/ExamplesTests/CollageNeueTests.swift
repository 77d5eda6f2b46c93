import Foundation
import StreamImages
import Testing

@Suite("CollageNeue", .timeLimit(.minutes(20)))
struct CollageNeueTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func run(_ script: String, library: String = "library") throws -> (lines: [String], status: Int32) {
    let script = try folder.write(script, to: "script")
    let program = try Program("CollageNeue", ["--library", folder.path(library), "--script", script])
    return (program.lines(), program.status())
  }

  @Test("CollageNeue saves a collage of two photos and starts a new one")
  func saves() throws {
    let (lines, status) = try run("add\npick 1\npick 2\ndone\nsave\n")

    let saved = try #require(lines.first { $0.hasPrefix("  saved as ") })
    let name = String(saved.dropFirst("  saved as ".count))
    #expect(status == 0)
    #expect(folder.names(in: "library") == [name])
    #expect(lines.contains("  2 photos  add  save  clear"))
    #expect(lines.last == "  A new collage  add  (save)  (clear)")
    let bytes = try Data(contentsOf: folder.url.appending(path: "library/\(name)"))
    let image = try ImageDecoder.decode(Array(bytes))
    #expect(image.size == PixelSize(width: 960, height: 640))
    #expect(try ImageDecoder.info(of: Array(bytes)).format == .jpeg)
    #expect(image.pixel(x: 100, y: 600) != image.pixel(x: 860, y: 600))
  }

  @Test("CollageNeue reads commands from a pipe")
  func pipe() throws {
    let program = try Program("CollageNeue", ["--library", folder.path("library"), "--script", "/dev/stdin"])
    program.type("add\npick 1")
    program.endInput()

    let lines = program.lines()

    #expect(program.status() == 0)
    #expect(lines.contains("  1 photo  add  (save)  clear"))
  }

  @Test("CollageNeue draws paintings with smooth edges")
  func smooth() throws {
    let (lines, _) = try run("add\npick 1\npick 2\ndone\nsave\n")

    let name = try #require(lines.first { $0.hasPrefix("  saved as ") }).dropFirst("  saved as ".count)
    let image = try ImageDecoder.decode(Data(contentsOf: folder.url.appending(path: "library/\(name)")))
    // Where the sun of the first painting begins, in rows in which its edge moves by a pixel each.
    let edges = (96..<120).compactMap { y in
      (0..<160).first { x in image.pixel(x: x, y: y).map { $0.red > 150 } ?? false }
    }
    #expect(edges.count == 24)
    #expect(Set(edges).count > 15, "\(edges)")
  }

  @Test("CollageNeue does not save an odd number of photos")
  func odd() throws {
    let (lines, status) = try run("add\npick 1\nsave\npick 2\npick 3\nsave\n")

    #expect(status == 0)
    #expect(lines.count { $0 == "  save is disabled" } == 2)
    #expect(lines.contains("  1 photo  add  (save)  clear"))
    #expect(lines.contains("  3 photos  add  (save)  clear"))
    #expect(folder.names(in: "library") == [])
  }

  @Test("CollageNeue accepts six photos and then closes the picker and disables add")
  func six() throws {
    let picks = (1...8).map { "pick \($0)\n" }.joined()

    let (lines, status) = try run("add\n\(picks)add\nsave\n")

    #expect(status == 0)
    #expect(lines.contains("  6 photos  (add)  save  clear"))
    #expect(lines.count { $0 == "  the picker closes, 6 picked" } == 1)
    #expect(lines.contains("  nothing to pick from: add first"))
    #expect(lines.contains("  add is disabled"))
    #expect(folder.names(in: "library").count == 1)
  }

  @Test(
    "CollageNeue reports a photo number out of range",
    arguments: ["pick 0", "pick \(Int.min)", "pick \(Int.max)"])
  func noSuchPhoto(line: String) throws {
    let (lines, status) = try run("add\n\(line)\n")

    #expect(status == 0)
    #expect(lines.last == "  there is no photo \(line.dropFirst("pick ".count))")
  }

  @Test("CollageNeue creates a new picker each time it is presented")
  func pickers() throws {
    let (lines, _) = try run("add\npick 1\ndone\nadd\npick 2\npick 3\ndone\n")

    #expect(
      lines.filter { $0.hasPrefix("  the picker closes") } == [
        "  the picker closes, 1 picked", "  the picker closes, 2 picked",
      ])
    #expect(lines.last { $0.contains(" photo") && !$0.hasPrefix("> ") } == "  3 photos  add  (save)  clear")
  }

  @Test("CollageNeue clears the collage, and an open picker adds to an empty one")
  func clears() throws {
    let (lines, _) = try run("clear\nadd\npick 1\npick 2\nclear\npick 3\n")

    #expect(
      lines.filter { !$0.hasPrefix("> ") && !$0.hasPrefix("  pick: ") } == [
        "  A new collage  add  (save)  (clear)", "  clear is disabled", "  1 photo  add  (save)  clear",
        "  2 photos  add  save  clear", "  A new collage  add  (save)  (clear)",
        "  1 photo  add  (save)  clear",
      ])
  }

  @Test("CollageNeue reports a library it cannot write to and presents no picker")
  func unauthorized() throws {
    _ = try folder.write("in the way", to: "file")

    let (lines, status) = try run("add\npick 1\n", library: "file/library")

    #expect(status == 1)
    #expect(lines.contains("  error: No access to the library of photographs."))
    #expect(lines.last == "  nothing to pick from: add first")
  }

  @Test("CollageNeue picks photos from a directory and reports files that are not images")
  func photographs() throws {
    let photos = folder.url.appending(path: "photos")
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
    let image = try Image(width: 30, height: 20, pixelFormat: .rgb8)
    try Data(ImageEncoder.encode(image, as: .png)).write(to: photos.appending(path: "a.png"))
    try Data("no picture".utf8).write(to: photos.appending(path: "b.jpg"))
    let script = try folder.write("add\npick 1\npick 2\npick 9\n", to: "script")

    let program = try Program(
      "CollageNeue",
      ["--library", folder.path("library"), "--photos", photos.path, "--script", script])
    let lines = program.lines()

    #expect(program.status() == 1)
    #expect(lines.contains("  pick: 1 a.png · 2 b.jpg"))
    #expect(lines.count { $0.hasPrefix("  error: ") } == 1)
    #expect(lines.contains("  1 photo  add  (save)  clear"))
    #expect(lines.last == "  there is no photo 9")
  }

  @Test("CollageNeue draws the collage in a terminal, prompts for commands and quits")
  func terminal() throws {
    let terminal = try PseudoTerminal()
    let program = try Program("CollageNeue", ["--library", folder.path("library")], in: terminal)

    let greeting = program.output(upTo: "> ")
    program.type("add")
    let pickers = program.output(upTo: "> ")
    program.type("pick 1")
    let picture = program.output(upTo: "> ")
    program.type("quit")

    #expect(greeting.contains("A new collage"))
    #expect(pickers.contains("1 painting 1"))
    #expect(picture.contains("1 photo"))
    #expect(picture.components(separatedBy: "\u{1B}[38;2;").count > 48 * 16)
    #expect(program.lines().isEmpty)
    #expect(program.status() == 0, "\(program.errors())")
  }

  @Test("CollageNeue refuses unknown arguments", arguments: [["word"], ["--script"], ["--sizes", "3"]])
  func mistakes(arguments: [String]) throws {
    let program = try Program("CollageNeue", arguments)

    #expect(program.lines().isEmpty)
    #expect(program.status() == 2)
  }
}
