import Foundation

/// The server as a program of its own.
final class ServerProcess: Sendable {
  /// What it says that it listens at, such as `http://127.0.0.1:8080`.
  let address: String
  /// What it has written by then.
  let greeting: String

  private let process = Process()
  private let ended = AsyncStream.makeStream(of: Int32.self)

  /// Starts it, and waits until it listens.
  ///
  /// - Parameter descriptors: How many files it may open.
  init(descriptors: Int? = nil, _ arguments: String...) throws {
    let output = Pipe()
    if let descriptors {
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments =
        ["-c", "ulimit -n \(descriptors); exec \"$0\" \"$@\"", serverProgram.path] + arguments
    } else {
      process.executableURL = serverProgram
      process.arguments = arguments
    }
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
    guard let address = text.firstMatch(of: /Thumbnails: (http:\/\/[^\/]*)/)?.output.1 else {
      throw CocoaError(.executableLoad)
    }
    self.address = String(address)
    greeting = text
  }

  /// The processor time that it has used.
  var processorSeconds: Double {
    let text = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)) ?? ""
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    // In hundredths of a second: fields 14 and 15, of which two come before the name's end.
    return fields.count > 12 ? ((Double(fields[11]) ?? 0) + (Double(fields[12]) ?? 0)) / 100 : 0
  }

  /// Sends SIGTERM.
  func terminate() { process.terminate() }

  /// Its exit status, once it has ended.
  func status() async -> Int32? {
    for await status in ended.stream { return status }
    return nil
  }
}
