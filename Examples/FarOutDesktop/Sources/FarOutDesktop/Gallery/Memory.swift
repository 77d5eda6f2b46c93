import Foundation

/// The memory of this process, in bytes; 0 where the system does not tell.
enum Memory {
  static var resident: Int { read("VmRSS:") }
  /// The most there ever was.
  static var peak: Int { read("VmHWM:") }

  private static func read(_ name: String) -> Int {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return 0 }
    let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
    return line.flatMap { Int($0.filter(\.isNumber)) }.map { $0 << 10 } ?? 0
  }
}

extension Int {
  /// In MiB, with a decimal if it is small.
  var mebibytes: String {
    let number = Double(self) / 1_048_576
    return number < 10 ? "\((number * 10).rounded() / 10) MiB" : "\(Int(number.rounded())) MiB"
  }
}
