import Foundation
import Testing

@Suite("MusicSearch", .timeLimit(.minutes(20)))
struct MusicSearchTests {
  private struct Entry: Decodable {
    let title: String
    let artist: String
    let color: String
  }

  private let folder: Folder
  /// What the program's server serves, read from where it is written.
  private let catalogue: [Entry]

  init() throws {
    folder = try Folder()
    let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let file = root.appending(path: "Examples/MusicSearch/catalogue.json")
    catalogue = try JSONDecoder().decode([Entry].self, from: Data(contentsOf: file))
  }

  private func run(_ script: String) throws -> (lines: [String], status: Int32) {
    let program = try Program("MusicSearch", ["--script", folder.write(script, to: "script")])
    return (program.lines(), program.status())
  }

  /// The titles of the rows that were shown, each checked to have its own song's artwork.
  private func titles(_ lines: [String]) -> [String] {
    lines.compactMap { line in
      guard let entry = catalogue.first(where: { line.contains(" \($0.title) ") && line.contains($0.artist) })
      else { return nil }
      #expect(line.hasSuffix("  \(entry.color)"), "the artwork of \(entry.title)")
      return entry.title
    }
  }

  private func titles(of term: String) -> [String] {
    catalogue.filter { "\($0.title) \($0.artist)".lowercased().contains(term) }.map(\.title)
  }

  @Test("MusicSearch debounces typing and shows each song with its artwork")
  func debounces() throws {
    let (lines, status) = try run("j\njo\njop\njoplin\n/pause 299\n/pause 1\n/wait\n")

    #expect(status == 0)
    #expect(lines.filter { $0.contains("searching") } == ["  searching for \"joplin\" …"])
    #expect(titles(lines) == titles(of: "joplin"))
    #expect(lines.last == "searches: 1 · artwork loaded: 3")
    let pause = try #require(lines.firstIndex(of: "> /pause 1"))
    #expect(lines[..<pause].allSatisfy { !$0.contains("searching") })
  }

  @Test("MusicSearch shows the results of the latest term, even if an earlier search is slower")
  func switches() throws {
    // The last search gives a late answer to the first all the time it would need to be shown.
    let (lines, status) = try run(
      "b\n/pause 300\n/asked b\nbach\n/wait\n/answered b\n/wait\njoplin\n/wait\n")

    #expect(status == 0)
    #expect(lines.filter { $0.contains("searching") }.count == 3)
    #expect(
      lines.filter { $0.contains(" songs for ") } == [
        "  4 songs for \"bach\"", "  3 songs for \"joplin\"",
      ])
    #expect(lines.contains { $0.hasPrefix("  the search for \"b\" was ") })
    #expect(titles(lines) == titles(of: "bach") + titles(of: "joplin"))
    #expect(lines.last == "searches: 3 · artwork loaded: 7")
  }

  @Test("MusicSearch does not repeat a search for an equal term")
  func removesDuplicates() throws {
    let (lines, _) = try run("satie\n/wait\nsati\nSatie \n/wait\n")

    #expect(lines.last == "searches: 1 · artwork loaded: 3")
  }

  @Test("MusicSearch never shows another song's artwork in a reused row")
  func reuses() throws {
    let scrolling = String(repeating: "/down\n", count: 8) + String(repeating: "/up\n", count: 8)

    // Scrolls on while artwork is loading: rows change songs under it.
    let (lines, status) = try run("o\n/wait\n\(scrolling)/wait\n/down\n/wait\nbeethoven\n/wait\no\n/wait\n")

    #expect(status == 0)
    let rows = titles(lines)
    #expect(rows.prefix(5) == titles(of: "o").prefix(5))
    #expect(rows.suffix(5) == titles(of: "o").prefix(5))
    #expect(Set(rows).isSuperset(of: titles(of: "beethoven").prefix(5)))
    #expect(lines.allSatisfy { !$0.hasSuffix("no artwork") })
  }

  @Test("MusicSearch loads each artwork once")
  func caches() throws {
    let (lines, _) = try run("joplin\n/wait\nsatie\n/wait\njoplin\n/wait\n")

    #expect(titles(lines) == titles(of: "joplin") + titles(of: "satie") + titles(of: "joplin"))
    #expect(lines.last == "searches: 3 · artwork loaded: 6")
  }

  @Test("MusicSearch shows the price of each song and the details of one")
  func details() throws {
    let (lines, status) = try run("bach\n/wait\n/show 2\n/show 9\n")

    #expect(status == 0)
    #expect(lines.contains { $0.contains(" Air ") && $0.contains("$0.99") })
    #expect(lines.contains("  Air, by Johann Sebastian Bach"))
    #expect(lines.contains("  3:53 minutes, $0.99, artwork 24.png"))
    #expect(lines.contains("  there is no song 9"))
  }

  @Test("MusicSearch reports an empty result, and an unknown command prints the help")
  func nothing() throws {
    let (lines, status) = try run("zzz\n/wait\njoplin\n/wait\n/nonsense\n")

    #expect(status == 0)
    #expect(
      lines.filter { $0.contains(" songs for ") } == ["  0 songs for \"zzz\"", "  3 songs for \"joplin\""])
    #expect(titles(lines) == titles(of: "joplin"))
    #expect(lines.contains { $0.hasPrefix("  any text searches") })
  }

  @Test("MusicSearch searches while typing in a terminal and draws the artwork")
  func terminal() throws {
    let terminal = try PseudoTerminal()
    let program = try Program("MusicSearch", [], in: terminal)

    program.type("debussy")
    let found = program.output(upTo: "Arabesque No. 1")
    let row = program.output(upTo: "\n")
    program.type("/quit")

    #expect(found.contains("3 songs for \"debussy\""))
    #expect(found.components(separatedBy: "▀").count == 1 + 2 * 32 + 8)  // the last picture up to its first line
    #expect(
      titles((found + row).split(whereSeparator: \.isNewline).map(String.init)) == titles(of: "debussy"))
    #expect(program.lines().last == "searches: 1 · artwork loaded: 3")
    #expect(program.status() == 0, "\(program.errors())")
  }

  @Test("MusicSearch completes a piped search before it exits")
  func pipe() throws {
    let program = try Program("MusicSearch", [])

    program.type("strauss")
    program.endInput()
    let lines = program.lines()

    #expect(titles(lines) == titles(of: "strauss"))
    #expect(program.status() == 0, "\(program.errors())")
  }

  @Test(
    "MusicSearch does not wait for an impossible event",
    arguments: ["/asked b", "/answered b", "/pause -1", "/pause x"])
  func impossible(line: String) throws {
    let (lines, status) = try run("\(line)\n")

    #expect(status == 0)
    #expect(lines.contains { $0.hasPrefix("  any text searches") })
  }

  @Test("MusicSearch refuses a missing script")
  func missing() throws {
    let program = try Program("MusicSearch", ["--script", folder.path("nothing")])

    #expect(program.lines().isEmpty)
    #expect(program.status() == 1)
    #expect(program.errors().contains("nothing"))
  }
}
