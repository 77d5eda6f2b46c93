// The members of system structures belong to one of these modules: the one that the compiler has loaded first.
#if canImport(Glibc)
  internal import Glibc
#endif
#if canImport(CoreFoundation)
  internal import CoreFoundation
#endif
#if canImport(CDispatch)
  internal import CDispatch
#endif
internal import Foundation

/// Identifies the content of a file without reading it.
package struct FileVersion: Sendable, Hashable {
  private let path: [CChar]
  private let device: Int
  private let number: Int
  private let size: Int
  private let modified: Int

  /// - Parameter path: With its final zero.
  init(path: [CChar], _ status: stat) {
    let status = FileStatus(status)
    self.path = path
    (device, number, size, modified) = (status.device, status.number, status.size, status.modified)
  }

  /// Whether the path still leads to this file, and nobody has written to it. False if there is no file.
  ///
  /// - Complexity: One system call.
  package var isCurrent: Bool {
    var found = stat()
    return stat(path, &found) == 0 && FileVersion(path: path, found) == self
  }
}
