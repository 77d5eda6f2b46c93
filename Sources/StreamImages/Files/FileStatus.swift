internal import Foundation

/// What the system says about a file.
struct FileStatus {
  let size: Int
  /// Nanoseconds since 1970. A time that has no such number, before 1970 or after 2262, is the nearest that has.
  let modified: Int
  let isRegular: Bool
  let isDirectory: Bool
  let links: Int
  /// Whether this user, and nobody else, may change it.
  let isOurs: Bool

  init(_ status: stat) {
    size = Int(status.st_size)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    let seconds = min(max(0, Int(time.tv_sec)), Int.max / 1_000_000_000 - 1)
    modified = seconds * 1_000_000_000 + Int(time.tv_nsec)
    isRegular = status.st_mode & S_IFMT == S_IFREG
    isDirectory = status.st_mode & S_IFMT == S_IFDIR
    links = Int(status.st_nlink)
    isOurs = status.st_uid == geteuid() && status.st_mode & 0o022 == 0
  }
}

/// A call to the system that failed.
struct SystemError: Error {
  let operation: String
  let path: String?
  let code: Int32

  /// The system would let us, but we had better not.
  static func distrust(_ path: String) -> SystemError {
    SystemError(operation: "trust", path: path, code: EPERM)
  }

  var isDistrust: Bool { operation == "trust" }
  var isMissing: Bool { code == ENOENT }
  var isTaken: Bool { code == EEXIST }
  var isFull: Bool { code == ENOSPC || code == EDQUOT }
  var isOutOfReach: Bool { [EACCES, EPERM, EROFS, ENOTDIR].contains(code) }
}

extension SystemError: CustomStringConvertible {
  var description: String { "\(operation)\(path.map { " \($0)" } ?? ""): \(text(ofSystemError: code))" }
}

func text(ofSystemError code: Int32) -> String { String(cString: strerror(code)) }

/// The time of day in nanoseconds since 1970.
func wallClock() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
}

/// Lets other threads run, if any are waiting.
func yieldProcessor() { sched_yield() }

func processIdentifier() -> Int32 { getpid() }

/// Whether the owner of this process may read, change and enter the directory.
func mayWrite(to path: String) -> Bool { access(path, R_OK | W_OK | X_OK) == 0 }
