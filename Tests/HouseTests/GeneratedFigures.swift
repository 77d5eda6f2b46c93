import Foundation
import Testing

/// What scripts wrote into pages: `rows:b1.streams`, `growth:scan/48`, `links:worst`, `beyond:Rx`, `speed:third`.
struct GeneratedFigures {
  private var values: [String: Double] = [:]

  init() throws {
    try readRows()
    try readGrowth()
    try readLinks()
    try readBeyond()
    try readSpeed()
  }

  /// `nil` if the terms are not of this kind.
  func values(_ terms: [String]) throws -> [Double]? {
    guard terms.contains(where: { $0.contains(/^(rows|growth|links|beyond|speed):/) }) else { return nil }
    return try terms.map { term in
      let parts = term.split(separator: "÷")
      let value = try #require(
        parts.count > 1 || Double(term) == nil ? values[String(parts[0])] : Double(term), "\(term)")
      return try parts.count == 2 ? value / #require(Double(parts[1])) : value
    }
  }

  private mutating func readRows() throws {
    let columns = ["streams": 1, "opencombine": 2, "ratio": 3, "time": 4, "async": 5, "hand": 6, "must": 8]
    var ratios: [String: Double] = [:]
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
        ratios[String(name)] = theirs / ours
      }
    }
    // Those that mostly subscribe, or run in the runtime.
    let slow = ratios.filter { ["c18", "m1", "m2", "m3", "m4", "m5", "m6"].contains($0.key) }
    values["rows:compared"] = Double(ratios.count)
    values["rows:mean.slow"] = mean(slow.values)
    values["rows:mean.others"] = mean(ratios.filter { slow[$0.key] == nil }.values)
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

  private mutating func readBeyond() throws {
    let rows = try lines(of: "Docs/beyond.md").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| Name ") }
    values["beyond:all"] = Double(rows.count)
    for row in rows {
      for library in row.components(separatedBy: " | ").last?.split(separator: " ") ?? [] {
        values["beyond:\(library)", default: 0] += 1
      }
    }
  }

  /// Time on the machine that is slowest at locked instructions, which is not the one of the last run.
  private mutating func readSpeed() throws {
    let text = try lines(of: "Docs/speed.md").joined(separator: " ")
    values["speed:third"] = Double(try #require(text.firstMatch(of: #/of ([\d.]+) on a third/#)?.1))
  }

  private func mean(_ ratios: some Collection<Double>) -> Double {
    exp(ratios.map { log($0) }.reduce(0, +) / Double(ratios.count))
  }

  private func lines(of path: String) throws -> [String] { try #require(TextFile(path: path)).lines }
}
