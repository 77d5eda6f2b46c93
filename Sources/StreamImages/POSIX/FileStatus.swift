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

/// The status of a file.
package struct FileStatus {
  package let device: Int
  /// The inode. Another file that takes the name of this one has another.
  package let number: Int
  package let size: Int
  /// In nanoseconds since 1970, clamped to the years 1970 to 2262.
  package let modified: Int
  package let isRegular: Bool
  package let isDirectory: Bool
  package let links: Int
  /// Whether only this user may change the file.
  package let isOurs: Bool

  init(_ status: stat) {
    device = Int(truncatingIfNeeded: status.st_dev)
    number = Int(truncatingIfNeeded: status.st_ino)
    size = Int(status.st_size)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    modified = Self.nanoseconds(Int(time.tv_sec), Int(time.tv_nsec))
    isRegular = status.st_mode & S_IFMT == S_IFREG
    isDirectory = status.st_mode & S_IFMT == S_IFDIR
    links = Int(status.st_nlink)
    isOurs = status.st_uid == geteuid() && status.st_mode & 0o022 == 0
  }

  /// Whether both are of the same file. Known only while it is open, because no other file has its inode then.
  package func isSameFile(as other: FileStatus) -> Bool { device == other.device && number == other.number }

  /// A time in nanoseconds, where they can be counted.
  package static func nanoseconds(_ seconds: Int, _ nanoseconds: Int) -> Int {
    min(max(0, seconds), Int.max / 1_000_000_000 - 1) * 1_000_000_000 + nanoseconds
  }

  /// The status of what a path, with its final zero, leads to; `nil` if there is none.
  package init?(following path: [CChar]) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}

/// A system call that failed.
package struct SystemError: Error {
  package let operation: String
  package let path: String?
  package let code: Int32

  package init(operation: String, path: String?, code: Int32) {
    (self.operation, self.path, self.code) = (operation, path, code)
  }

  /// The system allows access, but the file is not trusted.
  package static func distrust(_ path: String) -> SystemError {
    SystemError(operation: "trust", path: path, code: EPERM)
  }

  package var isDistrust: Bool { operation == "trust" }
  package var isMissing: Bool { code == ENOENT }
  package var isTaken: Bool { code == EEXIST }
  package var isUnsupported: Bool { [EPERM, EINVAL, ENOSYS, ENOTSUP].contains(code) }
  package var isFull: Bool { code == ENOSPC || code == EDQUOT }
  package var isDirectoryInTheWay: Bool { code == EISDIR }
  package var isOutOfReach: Bool { [EACCES, EPERM, EROFS, ENOTDIR].contains(code) }
}

extension SystemError: CustomStringConvertible {
  package var description: String {
    "\(operation)\(path.map { " \($0)" } ?? ""): \(text(ofSystemError: code))"
  }
}

package func text(ofSystemError code: Int32) -> String { String(cString: strerror(code)) }

/// The wall clock in nanoseconds since 1970.
package func wallClock() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
}

/// Lets other waiting threads run.
func yieldProcessor() { sched_yield() }

func processIdentifier() -> Int32 { getpid() }

/// Whether this process may read, change and enter the directory.
package func mayWrite(to path: String) -> Bool { access(path, R_OK | W_OK | X_OK) == 0 }

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
