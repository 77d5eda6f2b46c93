import Foundation
import Testing

/// What the program gzip makes of bytes.
enum Gzip {
  static func packed(_ bytes: Data) throws -> Data {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try bytes.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try output(of: "gzip -c <'\(file.path)'")
  }

  /// A decompression bomb.
  static func zeros(_ count: Int) throws -> Data { try output(of: "head -c \(count) /dev/zero | gzip -c") }

  private static func output(of command: String) throws -> Data {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardOutput = output
    try process.run()
    let packed = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return packed
  }
}
