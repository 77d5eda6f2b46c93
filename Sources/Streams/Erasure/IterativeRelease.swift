internal import CThreads

/// Releases `content`, which may hold the next in a long row, as publishers do that were built in a loop.
///
/// Releasing the first would release the next from within, and so on, until the stack is full. So beyond a hundred, the
/// first caller releases one after the other. The counting is done by functions that the optimizer cannot look into: it may
/// not move the destruction before it.
@usableFromInline
func releaseIteratively<Content>(_ content: inout Content?) {
  let depth = cthreads_letting_go(1)
  if depth > 100 {
    let pending = PendingRelease(content.take())
    pending.next = cthreads_swap_waiting(Unmanaged.passRetained(pending).toOpaque())
  } else {
    content = nil
  }
  while depth == 1, let waiting = cthreads_swap_waiting(nil) {
    let pending = Unmanaged<PendingRelease>.fromOpaque(waiting).takeRetainedValue()
    _ = cthreads_swap_waiting(pending.next)
    pending.content = nil
  }
  _ = cthreads_letting_go(-1)
}

/// An object that waits to be released, and those that wait behind it.
private final class PendingRelease {
  var content: Any?
  var next: UnsafeMutableRawPointer?

  init(_ content: Any?) { self.content = content }
}
