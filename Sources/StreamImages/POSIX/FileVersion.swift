/// Identifies the content of a file without reading it.
package struct FileVersion: Sendable, Hashable {
  private let path: [CChar]
  private let device: Int
  private let number: Int
  private let size: Int
  private let modified: Int

  /// - Parameter path: With its final zero.
  init(path: [CChar], _ status: FileStatus) {
    self.path = path
    (device, number, size, modified) = (status.device, status.number, status.size, status.modified)
  }

  /// Whether the path still leads to this file, and nobody has written to it. False if there is no file.
  ///
  /// - Complexity: One system call.
  package var isCurrent: Bool {
    FileStatus(following: path).map { FileVersion(path: path, $0) } == self
  }
}
