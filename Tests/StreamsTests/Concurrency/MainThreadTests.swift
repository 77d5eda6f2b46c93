#if canImport(Glibc)
  import Foundation
  import Streams
  import Testing

  @Suite("The main thread, on Linux")
  struct MainThreadTests {
    /// An asynchronous `main` gives the main queue to other threads, and ends its own. That is how tests run.
    @Test("The main thread is reported as lost once another thread does the work of the main actor")
    func lost() async {
      let (isMain, isLost, isCurrent) = await MainActor.run {
        (Thread.isMainThread, MainQueue.hasLostMainThread, MainQueue.isCurrent)
      }

      #expect(isLost == !isMain && isCurrent)
    }
  }
#endif
