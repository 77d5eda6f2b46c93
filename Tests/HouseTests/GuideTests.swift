import Foundation
import Testing

@Suite("Readme and guides")
struct GuideTests {
  /// The code that compiles, line by line, without blank lines and indentation.
  static let compiled: [[String]] = Repository.swift
    .filter {
      ["Examples", "Tests", "Tools", "Integrations/Tests"].contains(where: $0.path.isIn)
        && !$0.path.isIn("Tests/HouseTests")
    }
    .map { $0.lines.map(\.trimmed).filter { !$0.isEmpty } }

  /// `Scripts/newcomer` builds and runs them, in packages that hold nothing else.
  @Test(
    "The first program in each guide imports its modules",
    arguments: Repository.guides.map(\.path))
  func imports(path: String) throws {
    let guide = try #require(TextFile(path: path))

    let programs = blocks(of: guide).filter { !$0.lines[0].hasPrefix("// swift-tools-version") }

    #expect(programs.first.map { $0.lines.prefix(2).contains { $0.hasPrefix("import ") } } != false)
  }

  @Test(
    "Each server program in the guides calls `runIfAsked`"
  )
  func workers() throws {
    let programs = try Repository.guides.flatMap { page in
      blocks(of: try #require(TextFile(path: page.path))).map {
        (page: page.path, text: $0.lines.joined(separator: "\n"))
      }
    }
    .filter { $0.text.contains(".server(allowing:") || $0.text.contains("decodingIsolation = .process") }
    .filter { $0.text.contains("try await") || $0.text.contains("decodingProtections") }

    #expect(programs.contains { $0.page == "Docs/servers.md" })
    #expect(programs.filter { !$0.text.contains("ImageWorker.runIfAsked()") }.map(\.page) == [])
  }

  @Test("Each Swift snippet in the sources occurs in a compiled file")
  func comments() {
    let files = Repository.texts.filter { file in
      ["Sources", "Integrations/Sources"].contains(where: file.path.isIn)
        && (file.path.hasSuffix(".swift") || file.path.hasSuffix(".md"))
    }

    #expect(files.flatMap(invented) == [])
  }

  private func invented(in file: TextFile) -> [String] {
    blocks(of: file)
      .filter { block in !Self.compiled.contains { $0.contains(block.lines) } }
      .map { "\(file.path):\($0.start): \($0.lines.first ?? "")" }
  }

  /// `Scripts/newcomer` cannot build it, as it uses what is inside the package.
  @Test("All code of the page on operators occurs in the sources")
  func quotations() throws {
    let page = try #require(TextFile(path: "Docs/contributing/adding-an-operator.md"))
    let sources = Repository.sources.map { $0.lines.map(\.trimmed).filter { !$0.isEmpty } }

    let quoted = blocks(of: page, language: "")
    let invented = quoted.filter { block in !sources.contains { $0.contains(block.lines) } }

    #expect(quoted.count == 3)
    #expect(invented.map { "\(page.path):\($0.start)" } == [])
  }

  @Test("Each file on the way of a cold image exists, and the page has their number")
  func way() throws {
    let page = try #require(TextFile(path: "Docs/contributing/pipeline.md"))
    let section = page.lines.drop { $0 != "## The way of a cold image" }.dropFirst().prefix {
      !$0.hasPrefix("#")
    }

    let files = section.filter { $0.hasPrefix("| ") }.flatMap { row in
      row.matches(of: /`([^`]+)`/).map { String($0.1) }
    }
    let count = section.lazy.compactMap { $0.firstMatch(of: /through (\d+) files/).flatMap { Int($0.1) } }
      .first

    #expect(files.filter { !Repository.exists("Sources/StreamImages/\($0).swift") } == [])
    #expect(Set(files).count == count)
    #expect(Set(files).count == files.count)
  }

  @Test("Each link leads to an existing file and heading")
  func links() throws {
    let target = try Regex(#"\]\(([^)\s]+)\)"#, as: (Substring, Substring).self)
    let pages = Repository.texts.filter { $0.path.hasSuffix(".md") }
    let headings = Dictionary(uniqueKeysWithValues: pages.map { ($0.path, anchors(of: $0)) })

    let broken = pages.flatMap { page -> [String] in
      page.places { line in
        line.matches(of: target).contains { match in
          let link = String(match.1)
          if link.contains("://") || link.hasPrefix("mailto:") { return false }
          // An address within the reference, which Scripts/docs checks.
          if page.path.contains(".docc/") && link.hasPrefix("/documentation/") { return false }
          let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
          let folder = (page.path as NSString).deletingLastPathComponent
          let path =
            parts[0].isEmpty
            ? page.path
            : ((folder as NSString).appendingPathComponent(String(parts[0])) as NSString).standardizingPath
          guard Repository.exists(path) else { return true }
          guard parts.count == 2, let known = headings[path] else { return false }
          return !known.contains(String(parts[1]))
        }
      }
    }

    #expect(!pages.isEmpty)
    #expect(broken == [])
  }

  /// The names by which a web page of this text links to its headings.
  private func anchors(of page: TextFile) -> Set<String> {
    var isFenced = false
    return Set(
      page.lines.compactMap { line in
        if line.hasPrefix("```") { isFenced.toggle() }
        guard !isFenced, line.hasPrefix("#"), let space = line.firstIndex(of: " ") else { return nil }
        return line[space...].trimmingCharacters(in: .whitespaces).lowercased()
          .filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" || $0 == " " }
          .replacing(" ", with: "-")
      })
  }

  @Test("Guides and containers list all development packages that `Scripts/setup` installs")
  func packages() throws {
    let setup = try #require(TextFile(path: "Scripts/setup"))
    let package = /\blib[a-z0-9-]+-dev\b/
    let needed = Set(
      setup.lines.filter { $0.contains(/^\w+(\/\w+)?\.h\s/) }.flatMap {
        $0.matches(of: package).map { String($0.output) }
      })
    let lists = Repository.texts.filter { file in
      (file.path.hasSuffix(".md") || file.path.hasSuffix("Dockerfile"))
        && file.lines.contains { $0.contains("libzimg-dev") }
    }

    let missing = lists.flatMap { file in
      needed.filter { name in !file.lines.contains { $0.contains(name) } }.map { "\(file.path): \($0)" }
    }

    #expect(needed.count > 9)
    #expect(lists.contains { $0.path == "Examples/ThumbnailServer/Dockerfile" })
    #expect(missing == [])
  }

  private struct Block {
    let start: Int
    var lines: [String] = []
  }

  /// The blocks of one language, in a text or in comments.
  private func blocks(of file: TextFile, language: String = "swift") -> [Block] {
    var blocks: [Block] = []
    var open: Block?
    var isOther = false
    for (index, line) in file.lines.map({ uncommented($0.trimmed) }).enumerated() {
      if isOther {
        isOther = line != "```"
      } else if let block = open {
        if line == "```" {
          blocks.append(block)
          open = nil
        } else if !line.isEmpty {
          open?.lines.append(line)
        }
      } else if line == "```" + language {
        open = Block(start: index + 2)
      } else if line.hasPrefix("```") {
        isOther = true
      }
    }
    return blocks
  }

  private func uncommented(_ line: String) -> String {
    line.hasPrefix("///") ? String(line.dropFirst(3)).trimmed : line
  }
}
