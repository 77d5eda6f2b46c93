import Foundation
import Testing

/// An example, run as its users run it: as a process of its own.
final class Program {
  private let process = Process()
  private let complaints = Pipe()
  private let input: Pipe?
  private let terminal: PseudoTerminal?
  private let output: Int32
  private var buffer: [UInt8] = []

  /// Starts it with pipes, and nothing to read; or in a terminal.
  init(_ name: String, _ arguments: [String], in terminal: PseudoTerminal? = nil) throws {
    // Built into the same folder as the tests.
    let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    process.executableURL = tests.deletingLastPathComponent().appending(path: name)
    process.arguments = arguments
    process.standardError = complaints
    process.environment = Self.environment
    self.terminal = terminal
    if let terminal {
      input = nil
      output = terminal.ours
      process.environment = Self.environment.merging([
        "TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "",
      ]) { $1 }
      process.standardInput = FileHandle(fileDescriptor: terminal.theirs)
      process.standardOutput = FileHandle(fileDescriptor: terminal.theirs)
      try process.run()
      terminal.closeTheirs()
    } else {
      input = Pipe()
      let said = Pipe()
      output = dup(said.fileHandleForReading.fileDescriptor)
      process.standardInput = input
      process.standardOutput = said
      try process.run()
    }
  }

  /// A program may end in the middle of its work; of what that holds then, the leak sanitizer takes for lost what only a
  /// coded pointer leads to, as the side table of a weak reference or the bytes of `Data` in a task.
  private static let environment = ProcessInfo.processInfo.environment.merging(
    ["ASAN_OPTIONS": "detect_leaks=0"]
  ) { "\($0):\($1)" }

  deinit { if terminal == nil { close(output) } }

  /// Types a line.
  func type(_ line: String) {
    let handle = terminal.map { FileHandle(fileDescriptor: $0.ours) } ?? input?.fileHandleForWriting
    handle?.write(Data((line + "\n").utf8))
  }

  /// Ends what it can read.
  func endInput() { try? input?.fileHandleForWriting.close() }

  /// What it says up to and with `text`. All of it, if it ends before.
  func output(upTo text: String) -> String {
    while true {
      if let range = String(decoding: buffer, as: UTF8.self).range(of: text) {
        let said = String(decoding: buffer, as: UTF8.self)
        buffer = Array(said[range.upperBound...].utf8)
        return String(said[..<range.upperBound])
      }
      guard readMore() else { return rest() }
    }
  }

  /// All it still says until it ends, line by line.
  func lines() -> [String] {
    while readMore() {}
    return rest().split(whereSeparator: \.isNewline).map(String.init)
  }

  /// Ends it, if it does not end by itself.
  func end() {
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
  }

  /// Waits for its end.
  func status() -> Int32 {
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
  }

  /// What it said to standard error. Only after its end.
  func errors() -> String {
    String(decoding: complaints.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }

  private func rest() -> String {
    defer { buffer = [] }
    return String(decoding: buffer, as: UTF8.self)
  }

  /// `false` at the end, which a terminal reports as an error. A program that says nothing for too long is ended.
  private func readMore() -> Bool {
    var wait = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    guard poll(&wait, 1, 200_000) > 0 else {
      Issue.record("it says nothing any more")
      process.terminate()
      return false
    }
    var piece = [UInt8](repeating: 0, count: 4096)
    let count = read(output, &piece, piece.count)
    if count > 0 { buffer += piece[..<count] }
    return count > 0
  }
}
