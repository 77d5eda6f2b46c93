import Foundation

/// The server of the images: a process that ends with this one.
final class Origin {
  let address: URL
  private let process = Process()
  /// The server ends when nobody can write here any more.
  private let leash = Pipe()

  struct Failure: Error {
    let message: String
  }

  init(count: Int, folder: URL) throws {
    let program = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "FarOutOrigin")
    guard FileManager.default.isExecutableFile(atPath: program.path) else {
      throw Failure(message: "\(program.path) is missing: build the whole package")
    }
    let output = Pipe()
    process.executableURL = program
    process.arguments = ["--count", "\(count)", "--folder", folder.path]
    process.standardInput = leash
    process.standardOutput = output
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let url = URL(string: line.trimmingCharacters(in: .newlines)), url.scheme != nil else {
      throw Failure(message: "the server of the images does not start")
    }
    address = url
  }

  func stop() {
    try? leash.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
