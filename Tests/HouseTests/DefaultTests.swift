import Foundation
import Testing

/// The tables of the guides have the defaults that the sources assign.
@Suite("Defaults in the guides")
struct DefaultTests {
  /// The tables: a page, the heading of the column of names, and the file that declares them.
  static let tables = [
    ("Docs/loading.md", "`LoadLimits`", "Sources/StreamImages/Loading/LoadLimits.swift"),
    (
      "Docs/loading.md", "`CurlLoader.Configuration`",
      "Sources/StreamImages/Loading/Curl/CurlLoader+Configuration.swift"
    ),
    ("Docs/security.md", "`DecodingLimits`", "Sources/ImageCodecs/Decoding/DecodingLimits.swift"),
    ("Docs/images.md", "Property", "Sources/StreamImages/ImagePipeline+Configuration.swift"),
  ]

  @Test("The defaults in a guide's table are those of the sources", arguments: tables)
  func same(page: String, heading: String, source: String) throws {
    let declared = try values(declaredIn: source)

    let rows = try rows(of: page, under: heading)
    let wrong = try rows.flatMap { row in
      let names = row.names.matches(of: /`(\w+)`/).map { String($0.1) }
      let values = row.values.components(
        separatedBy: names.count > 1 && row.values.contains(", ") ? ", " : ";")
      return try zip(names, values.count == 1 ? names.map { _ in row.values } : values).filter {
        name, value in
        try #require(declared[name], "\(source) declares no \(name)").contains(value.trimmed) == false
      }
    }

    #expect(rows.count >= 5)
    #expect(wrong.map { "\($0.0): \($0.1), not \(declared[$0.0] ?? [])" } == [])
  }

  private struct Row {
    let names: String
    let values: String
  }

  /// The cells of a column, and those of the next column that is headed "Default".
  private func rows(of page: String, under heading: String) throws -> [Row] {
    let lines = try #require(TextFile(path: page)).lines
    let start = try #require(
      lines.firstIndex { line in
        let cells = cells(of: line)
        return cells.contains(heading) && cells.contains("Default")
      })
    let titles = cells(of: lines[start])
    let name = try #require(titles.firstIndex(of: heading))
    let value = try #require(titles[name...].firstIndex(of: "Default"))
    return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
      let cells = cells(of: line)
      return Row(names: cells[name], values: cells[value])
    }
  }

  private func cells(of line: String) -> [String] {
    line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map {
      String($0).trimmed
    }
  }

  /// Each stored property, and how a guide may write its default.
  private func values(declaredIn path: String) throws -> [String: Set<String>] {
    var values: [String: Set<String>] = [:]
    for line in try #require(TextFile(path: path)).lines {
      guard let match = line.firstMatch(of: /public var (\w+)(: [^={]+)?(?: = (.+))?$/) else { continue }
      values[String(match.1)] = spellings(of: match.3.map(String.init) ?? "nil")
    }
    return values
  }

  private func spellings(of expression: String) -> Set<String> {
    if let shift = expression.wholeMatch(of: /(\d+) << (\d+)/), let unit = Self.units[String(shift.2)] {
      return ["\(shift.1) \(unit)"]
    }
    if let seconds = expression.firstMatch(of: /\.seconds\((\d+)\)/) {
      return ["\(seconds.1) s", "\(seconds.1) seconds"]
    }
    if let number = Int(expression.replacing("_", with: "")) {
      return [
        number.formatted(.number.locale(Locale(identifier: "en"))), "\(number)",
        "\(number / 1_000_000) million",
      ]
    }
    return Self.words[expression] ?? [expression]
  }

  private static let units = ["10": "KiB", "20": "MiB", "30": "GiB"]

  /// How the guides name what is no number.
  private static let words: [String: Set<String>] = [
    "true": ["on"], "false": ["off"], "nil": ["none"],
    "Proxy.environment": ["from the environment"], "AddressPolicy.any": ["any"], "HostPolicy.any": ["any"],
    "SchemeLoader()": ["libcurl, files and `data:` URLs"],
    "DataCache.shared": ["`DataCache.shared`, 150 MiB"],
    "ImageCache.shared": ["`ImageCache.shared`"], "DataCachePolicy.automatic": ["`.automatic`"],
    "[ImageDecoders.Default()]": ["all built-in formats"],
    "ImageEncoders.Default()": ["all built-in formats"],
    "LoadLimits()": ["on"], "DecodingLimits.default": ["on"],
    "ProcessInfo.processInfo.activeProcessorCount": ["one per processor"],
  ]
}
