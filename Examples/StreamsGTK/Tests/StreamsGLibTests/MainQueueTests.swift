import Foundation
import Testing

/// Each in a process of its own, whose main thread runs an application.
@Suite("The main loop of GLib serves")
struct MainQueueTests {
  static let checks = try! output().split(separator: "\n").map(String.init)

  @Test("each of the checks there are")
  func count() {
    #expect(Self.checks.count == 17)
  }

  @Test("what Swift leaves to the main thread", arguments: checks)
  func serving(check: String) throws {
    #expect(try Self.output(check) == "holds\n")
  }

  private static func output(_ arguments: String...) throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "MainLoopCheck")
    process.arguments = arguments
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }
}
