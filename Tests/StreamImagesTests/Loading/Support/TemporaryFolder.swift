import Foundation

/// A folder of its own for a test, removed when let go of.
final class TemporaryFolder: Sendable {
  /// What is written after the test, by a store that had begun, is removed when the process ends.
  private static let root: URL = {
    atexit { try? FileManager.default.removeItem(at: TemporaryFolder.root) }
    return FileManager.default.temporaryDirectory.appending(path: "StreamImages-\(name())")
  }()

  /// Short, because the path of a socket is.
  private static func name() -> String { String(UUID().uuidString.prefix(13)) }

  let url: URL

  init() throws {
    url = Self.root.appending(path: Self.name())
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String, _ content: Data) throws -> URL {
    let file = url.appending(path: name)
    try content.write(to: file)
    return file
  }
}
