#if os(Linux)
  import CTransport
  import Foundation
  import TestSupport
  import Testing

  @Suite("Transport threads")
  struct TransportThreadTests {
    @Test("A transport thread takes no signals, and leaves the signals of its starter as they were")
    func signals() throws {
      let errand = Errand(), before = Errand.mask

      let thread = try #require(errand.start())
      let after = Errand.mask
      transport_thread_join(thread)

      #expect(after == before)
      #expect(errand.count == 1 && errand.found.isSuperset(of: [SIGPIPE, SIGTERM, SIGINT, SIGUSR1, SIGCHLD]))
    }

    @Test(
      "A transport thread that cannot be made is none, and loses no memory",
      .enabled(if: !isSanitized, "a sanitizer has a heap of its own, and looks for leaks itself"),
      .enabled(if: !isEmulated, "an emulator has memory of its own"))
    func refused() async {
      await #expect(processExitsWith: .success) {
        Heap.useOneArena()
        guard Heap.leaked(each: 100, { if !Errand().run() { exit(2) } }) <= 16 else { exit(3) }
        // Nothing more can be mapped, so that no thread gets a stack but those that the system keeps.
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
        limit.rlim_cur = 4_096
        setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
        var kept = 0
        while transport_thread_start({ _ in while true { pause() } }, nil) != nil { kept += 1 }
        let lost = Heap.leaked(each: 100) { if transport_thread_start({ _ in }, nil) != nil { exit(4) } }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
        guard kept < 1_000, lost <= 16 else { exit(5) }
      }
    }

    @Test(
      "Once there was a session, the C library takes large blocks from its heap, where it had mapped them",
      .enabled(if: !isSanitized, "a sanitizer has a heap of its own"))
    func heap() async {
      await #expect(processExitsWith: .success) {
        // Where the process has let go of a larger block before, it does so already.
        guard LargeBlock.isMapped else { return }
        guard let session = transport_session_make(4, true, 2, 100) else { exit(2) }
        guard !LargeBlock.isMapped else { exit(3) }
        transport_session_free(session)
      }
    }
  }

  private enum LargeBlock {
    /// Whether a block of almost half a megabyte begins behind the header of a page.
    static var isMapped: Bool {
      // They are kept: the library learns from a mapped block that is given back.
      (0..<3).allSatisfy { _ in Int(bitPattern: malloc(500_000)) % 4_096 == 16 }
    }
  }

  /// What a thread does and finds.
  private final class Errand: @unchecked Sendable {  // read when the thread has ended
    private(set) var found: Set<Int32> = []
    private(set) var count = 0

    /// The signals that the calling thread does not take.
    static var mask: Set<Int32> {
      var mask = sigset_t()
      pthread_sigmask(SIG_BLOCK, nil, &mask)
      return Set((1..<32).filter { sigismember(&mask, $0) == 1 })
    }

    func start() -> OpaquePointer? {
      transport_thread_start(
        { context in
          let errand = Unmanaged<Errand>.fromOpaque(context!).takeUnretainedValue()
          errand.found = Errand.mask
          errand.count += 1
        }, Unmanaged.passUnretained(self).toOpaque())
    }

    func run() -> Bool {
      guard let thread = start() else { return false }
      transport_thread_join(thread)
      return count == 1
    }
  }
#endif
