import Testing

/// A folder of `Streams` uses only folders above its own in a table of `Docs/contributing/engine.md`.
@Suite("Folders of `Streams`")
struct FolderTests {
  private static var index: IndexStore? { IndexStore() }
  /// What each folder after them may use.
  private static let basics: Set = ["Contract", "Engine/Synchronization", "Introspection"]
  private static let folders = Set(
    Repository.sources.filter { $0.path.isIn("Sources/Streams") }.map { $0.path.folder }.map {
      $0.replacing("Sources/Streams/", with: "")
    })

  @Test("The table of folders in `Docs/contributing/engine.md` has no circles")
  func order() throws {
    let rows = try FolderTable().rows

    for (position, row) in rows.enumerated() {
      let above = Set(rows[..<position].map(\.folder))
      #expect(row.uses.subtracting(above) == [], "\(row.folder) uses what is below it in the table.")
    }
    #expect(Set(rows.map(\.folder)) == Self.folders)
  }

  @Test(
    "Each folder of `Streams` uses the folders in its row of `Docs/contributing/engine.md`, and no others",
    .enabled(if: index != nil, "this build has no index, or this toolchain no libIndexStore"))
  func arrows() throws {
    let table = try FolderTable()
    let uses = try #require(Self.index).usesAcrossFolders(in: "Sources/Streams")
    let allowed = Set(table.rows.flatMap { row in row.uses.map { "\(row.folder) > \($0)" } })
    let positions = Dictionary(
      uniqueKeysWithValues: table.rows.enumerated().map { ($0.element.folder, $0.offset) })
    let exceptions = Dictionary(grouping: uses) { "\($0.file) > \($0.target)" }
      .filter { table.exceptions.keys.contains($0.key) }
      .mapValues { Set($0.map(\.line)).count }

    let others = uses.filter { use in
      let isBasic =
        Self.basics.contains(use.target)
        && positions[use.target, default: 0] < positions[use.folder, default: 0]
      return !isBasic && exceptions["\(use.file) > \(use.target)"] == nil
    }
    let found = Set(others.map { "\($0.folder) > \($0.target)" })

    #expect(others.filter { !allowed.contains("\($0.folder) > \($0.target)") }.map(\.description) == [])
    #expect(allowed.subtracting(found) == [], "The table has what is not used any more.")
    #expect(exceptions == table.exceptions, "The lines of each exception are counted.")
  }
}

/// The tables under "Folders" in `Docs/contributing/engine.md`.
private struct FolderTable {
  /// From the bottom to the top.
  let rows: [(folder: String, uses: Set<String>)]
  /// How many lines of a file use a folder against the order, by "file > folder".
  let exceptions: [String: Int]

  init() throws {
    let guide = try #require(TextFile(path: "Docs/contributing/engine.md"))
    let section = guide.lines.drop { $0 != "## Folders" }.dropFirst().prefix { !$0.hasPrefix("## ") }
    let cells = section.filter { $0.hasPrefix("| `") }.map { line in
      line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().map { String($0).trimmed }
    }
    let isException = { (row: [String]) in row[0].hasSuffix(".swift`") }
    rows = cells.filter { !isException($0) }.map { ($0[0].names[0], Set($0[1].names)) }
    exceptions = try Dictionary(
      uniqueKeysWithValues: cells.filter(isException).map { row in
        ("\(row[0].names[0]) > \(row[1].names[0])", try #require(Int(row[2])))
      })
  }
}

/// A line of a file that uses a declaration of another folder.
private struct Use {
  let file: String
  let line: Int
  let symbol: String
  let target: String

  var folder: String { file.folder }
  var description: String { "\(file):\(line) uses \(symbol) of \(target)" }
}

extension IndexStore {
  fileprivate func usesAcrossFolders(in module: String) -> [Use] {
    let all = occurrences(in: module)
    let homes = Dictionary(
      all.filter(\.isDefinition).map { ($0.identifier, $0.file.folder) },
      uniquingKeysWith: { first, _ in first })
    return all.filter(\.isReference).compactMap { occurrence in
      guard let home = homes[occurrence.identifier], home != occurrence.file.folder else { return nil }
      return Use(file: occurrence.file, line: occurrence.line, symbol: occurrence.symbol, target: home)
    }
  }
}

extension String {
  fileprivate var folder: String { split(separator: "/").dropLast().joined(separator: "/") }
  fileprivate var names: [String] { matches(of: /`([^`]+)`/).map { String($0.1) } }
}
