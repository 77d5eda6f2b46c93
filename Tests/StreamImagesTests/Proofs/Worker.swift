import Foundation
import Testing

/// `LoadingWorker`, run beside the tests.
final class Worker {
  private let process = Process()
  private let pipe = Pipe()
  private var buffer = Data()

  init(_ arguments: String...) throws {
    // Built into the same folder as the tests.
    let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    process.executableURL = tests.deletingLastPathComponent().appending(path: "LoadingWorker")
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
  }

  /// The next line it says; `nil` when it has ended.
  func line() -> String? {
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        defer { buffer = Data(buffer[(end + 1)...]) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      let more = pipe.fileHandleForReading.availableData
      guard !more.isEmpty else { return nil }
      buffer += more
    }
  }

  /// All it says until it ends.
  func lines() -> [String] {
    var lines: [String] = []
    while let line = line() { lines.append(line) }
    return lines
  }

  /// In the midst of whatever it does.
  func kill() {
    #if canImport(Glibc)
      _ = Glibc.kill(process.processIdentifier, SIGKILL)
    #else
      process.terminate()
    #endif
  }

  /// Waits, and tells how it ended: 0 as it should, a negative number by a signal.
  func ending() -> Int32 {
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal
      ? -process.terminationStatus : process.terminationStatus
  }
}

extension String {
  /// The number after a word: of "found 3 corrupt 0", 3 for "found".
  func number(after word: String) -> Int? {
    let words = split(separator: " ")
    guard let index = words.firstIndex(of: word[...]), words.indices.contains(index + 1) else { return nil }
    return Int(words[index + 1])
  }
}
