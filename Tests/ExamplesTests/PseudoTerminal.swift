import Foundation

/// A terminal without a screen: what a program says to it can be read, and what is written to it, it reads as typed.
final class PseudoTerminal {
  struct Unavailable: Error {
    let code: Int32
  }

  /// The end of the test.
  let ours: Int32
  /// The end of the program.
  let theirs: Int32
  private var isTheirsOpen = true

  /// Eighty columns wide, 24 rows high, without echo.
  init() throws(Unavailable) {
    ours = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard ours >= 0, let name = Self.unlock(ours) else { throw Unavailable(code: errno) }
    theirs = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    var settings = termios()
    var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
    guard theirs >= 0, tcgetattr(theirs, &settings) == 0, ioctl(theirs, UInt(TIOCSWINSZ), &size) == 0 else {
      throw Unavailable(code: errno)
    }
    settings.c_lflag &= ~tcflag_t(ECHO)
    guard tcsetattr(theirs, TCSANOW, &settings) == 0 else { throw Unavailable(code: errno) }
  }

  deinit {
    closeTheirs()
    close(ours)
  }

  /// Leaves the program's end to the program, so that its end is noticed.
  func closeTheirs() {
    if isTheirsOpen { close(theirs) }
    isTheirsOpen = false
  }

  /// - Returns: The path of the other end; `nil` if there is none.
  private static func unlock(_ terminal: Int32) -> String? {
    #if os(Linux)
      // TIOCSPTLCK and TIOCGPTN: Swift sees neither these macros nor the functions that stand for them.
      var (isLocked, number): (Int32, UInt32) = (0, 0)
      guard ioctl(terminal, 0x4004_5431, &isLocked) == 0, ioctl(terminal, 0x8004_5430, &number) == 0 else {
        return nil
      }
      return "/dev/pts/\(number)"
    #else
      guard grantpt(terminal) == 0, unlockpt(terminal) == 0 else { return nil }
      return ptsname(terminal).map { String(cString: $0) }
    #endif
  }
}
