/// Identifies the content of a file without reading it.
///
/// A class, so that the many images that come from no file carry one word for it.
package final class FileVersion: Sendable, Hashable {
  private struct Facts: Hashable {
    let path: [CChar]
    let device: Int
    let number: Int
    let size: Int
    let modified: Int

    init(_ path: [CChar], _ status: FileStatus) {
      self.path = path
      (device, number, size, modified) = (status.device, status.number, status.size, status.modified)
    }
  }

  private let facts: Facts

  /// - Parameter path: With its final zero.
  package init(path: [CChar], _ status: FileStatus) { facts = Facts(path, status) }

  /// Whether the path still leads to this file, with the same size and modification time. False if there is no file.
  ///
  /// - Complexity: One system call.
  package var isCurrent: Bool {
    FileStatus(following: facts.path).map { Facts(facts.path, $0) } == facts
  }

  package static func == (left: FileVersion, right: FileVersion) -> Bool { left.facts == right.facts }
  package func hash(into hasher: inout Hasher) { hasher.combine(facts) }
}
