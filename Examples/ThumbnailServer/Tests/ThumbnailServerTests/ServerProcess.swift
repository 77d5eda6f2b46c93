import Foundation

/// The server as a program of its own.
final class ServerProcess: Sendable {
  /// What it says that it listens at, such as `http://127.0.0.1:8080`.
  let address: String

  // Only asked to end, and awaited.
  private nonisolated(unsafe) let process = Process()
  private let ended = AsyncStream.makeStream(of: Int32.self)

  /// Starts it, and waits until it listens.
  init(_ arguments: String...) throws {
    let output = Pipe()
    process.executableURL = serverProgram
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.terminationHandler = { [ended] in ended.continuation.yield($0.terminationStatus) }
    try process.run()
    var text = ""
    while !text.contains("/thumb") {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { throw CocoaError(.executableLoad) }
      text += String(decoding: data, as: UTF8.self)
    }
    guard let address = text.firstMatch(of: /http:\/\/[^\/]*/)?.output else {
      throw CocoaError(.executableLoad)
    }
    self.address = String(address)
  }

  /// Sends SIGTERM.
  func terminate() { process.terminate() }

  /// Its exit status, once it has ended.
  func status() async -> Int32? {
    for await status in ended.stream { return status }
    return nil
  }
}
