import Foundation
import Testing

/// What scripts wrote into pages: `rows:b1.streams`, `growth:scan/48`, `links:worst`.
struct GeneratedFigures {
  private var values: [String: Double] = [:]

  init() throws {
    try readRows()
    try readGrowth()
    try readLinks()
  }

  /// `nil` if the terms are not of this kind.
  func values(_ terms: [String]) throws -> [Double]? {
    guard terms.contains(where: { $0.contains(/^(rows|growth|links|beyond):/) }) else { return nil }
    return try terms.map { term in
      let parts = term.split(separator: "÷")
      let value = try #require(
        parts.count > 1 || Double(term) == nil ? values[String(parts[0])] : Double(term), "\(term)")
      return try parts.count == 2 ? value / #require(Double(parts[1])) : value
    }
  }

  private mutating func readRows() throws {
    let columns = [
      "streams": 1, "opencombine": 4, "ratio": 5, "time": 6, "async": 7, "hand": 8, "must": 10,
    ]
    let kinds = [
      "subscribing": ["c13", "c18", "d1", "d2", "d3", "e2", "m3"], "actor": ["m1", "m2", "m4", "m5", "m6"],
    ]
    var ratios: [String: [Double]] = [:]
    var times: [String: [Double]] = [:]
    for line in try lines(of: "Docs/benchmarks/README.md") {
      if let mean = line.firstMatch(of: #/^geometric mean ([\d.]+) .* (\d+) rows/#) {
        values["rows:mean.instructions"] = Double(mean.1)
        values["rows:count"] = Double(mean.2)
      } else if let mean = line.firstMatch(of: #/^In time, geometric mean ([\d.]+),/#) {
        values["rows:mean.time"] = Double(mean.1)
      }
      guard let name = line.firstMatch(of: #/^\| \*\*(\w+)\*\* /#)?.1 else { continue }
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().map {
        String($0).trimmed
      }
      for (column, index) in columns {
        let text = cells[index].replacing(",", with: "").prefix { $0.isNumber || $0 == "." }
        values["rows:\(name).\(column)"] = Double(text)
      }
      if let ours = values["rows:\(name).streams"], let theirs = values["rows:\(name).opencombine"] {
        let kind = kinds.first { $0.value.contains(String(name)) }?.key ?? "delivering"
        ratios[kind, default: []].append(theirs / ours)
        times[kind, default: []].append(try #require(values["rows:\(name).time"]))
      }
    }
    values["rows:compared"] = Double(ratios.values.map(\.count).reduce(0, +))
    for (kind, ratios) in ratios {
      values["rows:count.\(kind)"] = Double(ratios.count)
      values["rows:mean.\(kind)"] = mean(ratios)
      values["rows:time.\(kind)"] = mean(times[kind, default: []])
    }
  }

  private mutating func readGrowth() throws {
    for line in try lines(of: "Docs/benchmarks/growth.md") {
      if let series = line.firstMatch(of: #/^\| (\w+), a stage \| (.*) \|/#) {
        for size in series.2.matches(of: #/(\d+): ([\d,]+)/#) {
          values["growth:\(series.1)/\(size.1)"] = Double(size.2.replacing(",", with: ""))
        }
      } else if let row = line.firstMatch(of: #/^\| ([a-z ]+) \| ([\d,]+) \| ([\d,]+) \|$/#) {
        let key = row.1.replacing(" ", with: "-") + "/" + row.2.replacing(",", with: "")
        values["growth:\(key)"] = Double(row.3.replacing(",", with: ""))
      }
    }
  }

  private mutating func readLinks() throws {
    for line in try lines(of: "Docs/benchmarks/links.md") {
      guard let found = line.firstMatch(of: #/^links: (\d+) of .* at worst ([\d.]+);/#) else { continue }
      values["links:cells"] = Double(found.1)
      values["links:worst"] = Double(found.2)
    }
  }

  private func mean(_ ratios: some Collection<Double>) -> Double {
    exp(ratios.map { log($0) }.reduce(0, +) / Double(ratios.count))
  }

  private func lines(of path: String) throws -> [String] { try #require(TextFile(path: path)).lines }
}
