import Foundation

/// A Chromium without a window.
enum Browser {
  static let program: String? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let names = ["chromium", "chromium-browser", "google-chrome"]
    return folders.flatMap { folder in names.map { "\(folder)/\($0)" } }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  /// The elements of the page as markup, once it has run for some seconds of its own time.
  static func elements(of url: String) throws -> String {
    let profile = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: profile) }
    let (process, output) = (Process(), Pipe())
    process.executableURL = program.map { URL(filePath: $0) }
    process.arguments = [
      "--headless=new", "--no-sandbox", "--disable-gpu", "--no-proxy-server", "--disable-dev-shm-usage",
      "--user-data-dir=\(profile.path)", "--window-size=1280,20000", "--virtual-time-budget=4000",
      "--dump-dom", url,
    ]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
