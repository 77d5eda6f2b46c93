import Foundation

/// What this process has open, as far as it can be told apart from the doings of other tests.
enum Descriptors {
  static var count: Int { targets.count }

  /// How often a file is open.
  static func count(of path: String) -> Int {
    targets.count { $0 == path }
  }

  /// Those that are open on a file.
  static func numbers(of path: String) -> [CInt] {
    let folder = "/proc/self/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == path
    }.compactMap { CInt($0) }
  }

  /// How many sockets here are connected to a port.
  static func count(connectedTo port: UInt16) throws -> Int {
    // Such a file says that it is empty, and is then read in part only, unless it is read to its end.
    let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/net/tcp"))
    let table = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    let ending = ":" + String(format: "%04X", Int(port))
    let rows: [[Substring]] = table.split(separator: "\n").map { $0.split(separator: " ") }
    let sockets: [String] = rows.filter { $0.count > 9 && $0[2].hasSuffix(ending) }
      .map { "socket:[\($0[9])]" }
    return targets.count { sockets.contains($0) }
  }

  /// How many bytes have arrived from a port and were not read.
  static func unreadBytes(from port: UInt16) throws -> Int {
    let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/net/tcp"))
    let table = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    let ending = ":" + String(format: "%04X", Int(port))
    return table.split(separator: "\n").map { $0.split(separator: " ") }
      .filter { $0.count > 4 && $0[2].hasSuffix(ending) }
      .reduce(0) { $0 + (Int($1[4].suffix(8), radix: 16) ?? 0) }
  }

  private static var targets: [String] {
    let folder = "/proc/self/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
  }
}
