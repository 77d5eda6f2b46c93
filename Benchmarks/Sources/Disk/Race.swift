import Foundation

/// What batches took, C's and ours in turn.
struct Race {
  let name: String
  private var raw: [Double] = []
  private var ours: [Double] = []
  var count: Int { ours.count }

  init(_ name: String) { self.name = name }

  mutating func add(_ entries: Int, raw: Double, ours: Double) {
    self.raw.append(raw / Double(entries))
    self.ours.append(ours / Double(entries))
  }

  /// Our speed as a part of C's: the median of the batches, each compared with the one next to it.
  var ratio: Double { median(zip(raw, ours).map { $0 / $1 }) }

  var median: Double { median(ours) }

  var description: String {
    let (raw, ours) = (Int(1 / median(self.raw)), Int(1 / median(self.ours)))
    return "\(name): \(ours) entries a second, C \(raw), ratio \(rounded(ratio)) (goal: 0.7 at least)"
  }

  private func median(_ values: [Double]) -> Double {
    values.isEmpty ? .nan : values.sorted()[values.count / 2]
  }
}

func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

/// What this process uses, in bytes.
enum Memory {
  /// Forgets the peak so far.
  static func beginPeak() -> Int {
    try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    return value(of: "VmRSS:")
  }

  static var peak: Int { value(of: "VmHWM:") }

  private static func value(of name: String) -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let words = text.split(whereSeparator: \.isWhitespace)
    return words.firstIndex(of: name[...]).flatMap { Int(words[$0 + 1]) }.map { $0 << 10 } ?? 0
  }
}
