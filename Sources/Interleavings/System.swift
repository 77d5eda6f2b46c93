#if canImport(Glibc)
  internal import Glibc
#else
  internal import Foundation
#endif

/// What reports need of the system.
enum System {
  static var process: Int32 { getpid() }

  static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
  static func canRead(_ path: String) -> Bool { access(path, R_OK) == 0 }
  static func canRun(_ path: String) -> Bool { access(path, X_OK) == 0 }

  /// What a command prints.
  static func output(of command: String) -> String {
    guard let file = popen(command, "r") else { return "" }
    defer { pclose(file) }
    var bytes: [UInt8] = [], buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
