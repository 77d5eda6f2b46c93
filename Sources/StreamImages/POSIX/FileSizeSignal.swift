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

/// Blocks SIGXFSZ on this thread. It is sent on writing beyond `RLIMIT_FSIZE` and ends the process by default; the
/// error of the call is enough.
package struct FileSizeSignal {
  private var before = sigset_t()

  package init() {
    var signals = Self.signals
    pthread_sigmask(SIG_BLOCK, &signals, &before)
  }

  /// Discards a pending signal, and unblocks it if it was not blocked before.
  package func allow() {
    var (pending, before) = (sigset_t(), before)
    // Threads of Dispatch always block it, so there is nothing to do.
    guard sigismember(&before, SIGXFSZ) == 0 else { return }
    sigpending(&pending)
    if sigismember(&pending, SIGXFSZ) == 1 {
      var signals = Self.signals
      #if canImport(Darwin)
        var received: Int32 = 0
        sigwait(&signals, &received)
      #else
        // Another thread may have taken it meanwhile, so this must not wait.
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
