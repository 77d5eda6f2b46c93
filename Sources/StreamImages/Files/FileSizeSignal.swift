internal import Foundation

/// Keeps the signal away from this thread that comes with writing beyond `RLIMIT_FSIZE`, and by default ends the
/// process; the error that comes with it says enough.
struct FileSizeSignal {
  private var before = sigset_t()

  init() {
    var signals = Self.signals
    pthread_sigmask(SIG_BLOCK, &signals, &before)
  }

  /// Drops the signal if it came, and lets later ones through if those before were.
  func allow() {
    var (pending, before) = (sigset_t(), before)
    // Threads of Dispatch never let it through: there, nothing is to be done.
    guard sigismember(&before, SIGXFSZ) == 0 else { return }
    sigpending(&pending)
    if sigismember(&pending, SIGXFSZ) == 1 {
      var signals = Self.signals
      #if canImport(Darwin)
        var received: Int32 = 0
        sigwait(&signals, &received)
      #else
        // Another thread may have taken it meanwhile: this must not wait.
        var noTime = timespec()
        sigtimedwait(&signals, nil, &noTime)
      #endif
    }
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  private static var signals: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGXFSZ)
    return signals
  }
}
