#if os(Linux)
  import CTransport
  import Foundation
  import TestSupport
  import Testing

  // In processes of their own: memory and threads of other tests would be counted.
  @Suite(
    "Transport memory",
    .enabled(if: !isSanitized, "a sanitizer has a heap of its own, and looks for leaks itself")
  )
  struct TransportTests {
    @Test("A finished thread frees its memory, whether it is joined or joins itself")
    func threads() async {
      await #expect(processExitsWith: .success) {
        Heap.useOneArena()
        let waited = Heap.leaked(each: 100) { transport_thread_join(transport_thread_start({ _ in }, nil)) }
        guard waited <= 16 else { exit(2) }

        let before = Process.mappings
        let forgotten = Heap.leaked(each: 100) { ForgottenThread.run() }
        guard forgotten <= 16 else { exit(3) }
        // A thread that nobody waits for, and that is not forgotten, keeps its stack. A few are kept for others.
        guard Process.mappings - before < 60 else { exit(4) }
      }
    }

    @Test("A session and its transfers free their memory in every outcome")
    func sessions() async {
      await #expect(processExitsWith: .success) {
        Heap.useOneArena()
        for isShared in [false, true] {
          let lost = Heap.leaked(each: 60) {
            guard let session = transport_session_make(4, isShared, 2, 100) else { exit(2) }
            for way in 0..<5 {
              guard transport_session_add(session, .header, "Accept: image/*") else { exit(3) }
              guard Transfers.run(session, way) else { exit(4) }
            }
            transport_session_free(session)
          }
          guard lost <= 16 else { exit(5) }
        }
        transport_session_free(nil)
        transport_transfer_free(nil)
      }
    }
  }

  private enum Process {
    static var mappings: Int { lines(of: "/proc/self/maps") }
    static var threads: Int {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
    }

    private static func lines(of file: String) -> Int {
      (try? String(contentsOfFile: file, encoding: .utf8))?.split(separator: "\n").count ?? 0
    }
  }

  /// A thread that forgets itself at its end.
  private final class ForgottenThread {
    private let isStarted = DispatchSemaphore(value: 0)
    private var thread: OpaquePointer?

    static func run() {
      let before = Process.threads
      let own = ForgottenThread()
      own.thread = transport_thread_start(
        { context in
          let own = Unmanaged<ForgottenThread>.fromOpaque(context!).takeRetainedValue()
          own.isStarted.wait()
          transport_thread_join(own.thread)
        }, Unmanaged.passRetained(own).toOpaque())
      own.isStarted.signal()
      while Process.threads > before { sched_yield() }
    }
  }

  private enum Transfers {
    private static var callbacks: transport_callbacks {
      transport_callbacks(
        context: nil, head_line: { _, _, _ in true }, body: { _, _, _ in true },
        may_connect: { _, _, _, _ in false },
        will_send: { _, _, _ in .go })
    }

    /// One that is refused its connection, in one of five ways.
    static func run(_ session: OpaquePointer, _ way: Int) -> Bool {
      guard let transfer = transport_transfer_make(session, "http://127.0.0.1:9/", callbacks) else {
        return false
      }
      defer { transport_transfer_free(transfer) }
      let isSet =
        switch way {
        case 2: transport_transfer_send(transfer, "POST", "body", 4)
        case 3: transport_transfer_add_header(transfer, "A: b")
        default: true
        }
      guard isSet, way < 4 else { return isSet }
      let options = transport_options.plain {
        ($0.uses_http2, $0.waits_for_connection, $0.is_head_only) = (way == 0, way == 0, way == 1)
        ($0.accepts_coding, $0.has_own_headers) = (way == 3, way == 3)
      }
      guard transport_transfer_start(transfer, options) else { return false }
      var outcome = transport_outcome.done
      for _ in 0..<1_000 {
        guard transport_session_perform(session) else { return false }
        _ = transport_session_next_ended(session, &outcome)
        if outcome != .done { return true }
        guard transport_session_wait(session, 10) >= 0 else { return false }
      }
      return false
    }
  }
#endif
