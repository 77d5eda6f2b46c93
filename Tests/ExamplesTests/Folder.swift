import Foundation

/// A new directory, for one test.
final class Folder {
  let url = FileManager.default.temporaryDirectory.appending(path: "Examples-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// - Returns: Its path.
  func write(_ text: String, to name: String) throws -> String {
    let file = url.appending(path: name)
    try Data(text.utf8).write(to: file)
    return file.path
  }

  func path(_ name: String) -> String { url.appending(path: name).path }

  /// The names in a directory in it; none if that is not there.
  func names(in directory: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path(directory)))?.sorted() ?? []
  }
}
