import Foundation
import Testing

@Suite("the readme and the guides")
struct GuideTests {
  /// The code that compiles, line by line, without blank lines and indentation.
  static let compiled: [[String]] = Repository.swift
    .filter { $0.path.isIn("Examples") || $0.path.isIn("Tests") && !$0.path.isIn("Tests/HouseTests") }
    .map { $0.lines.map(\.trimmed).filter { !$0.isEmpty } }

  @Test("show only code that stands in a file that is compiled", arguments: Repository.guides.map(\.path))
  func code(path: String) throws {
    let guide = try #require(TextFile(path: path))

    #expect(invented(in: guide) == [])
  }

  @Test("show only such code in the reference, too: in comments and catalogues")
  func comments() {
    let files = Repository.texts.filter { file in
      file.path.isIn("Sources") && (file.path.hasSuffix(".swift") || file.path.hasSuffix(".md"))
    }

    #expect(files.flatMap(invented) == [])
  }

  private func invented(in file: TextFile) -> [String] {
    blocks(of: file)
      .filter { block in !Self.compiled.contains { $0.contains(block.lines) } }
      .map { "\(file.path):\($0.start): \($0.lines.first ?? "")" }
  }

  @Test("link to files that exist")
  func links() throws {
    let target = try Regex(#"\]\(([^)\s]+)\)"#, as: (Substring, Substring).self)
    let pages = Repository.texts.filter { $0.path.hasSuffix(".md") }

    let broken = pages.flatMap { page -> [String] in
      page.places { line in
        line.matches(of: target).contains { match in
          let link = String(match.1)
          if link.contains("://") || link.hasPrefix("#") || link.hasPrefix("mailto:") { return false }
          let folder = (page.path as NSString).deletingLastPathComponent
          let file = link.prefix { $0 != "#" }
          return !Repository.exists(folder.isEmpty ? String(file) : "\(folder)/\(file)")
        }
      }
    }

    #expect(!pages.isEmpty)
    #expect(broken == [])
  }

  private struct Block {
    let start: Int
    var lines: [String] = []
  }

  /// What stands between a line of "```swift" and one of "```", in a text or in comments.
  private func blocks(of file: TextFile) -> [Block] {
    var blocks: [Block] = []
    var open: Block?
    for (index, line) in file.lines.map({ uncommented($0.trimmed) }).enumerated() {
      if let block = open {
        if line == "```" {
          blocks.append(block)
          open = nil
        } else if !line.isEmpty {
          open?.lines.append(line)
        }
      } else if line == "```swift" {
        open = Block(start: index + 2)
      }
    }
    return blocks
  }

  private func uncommented(_ line: String) -> String {
    line.hasPrefix("///") ? String(line.dropFirst(3)).trimmed : line
  }
}
