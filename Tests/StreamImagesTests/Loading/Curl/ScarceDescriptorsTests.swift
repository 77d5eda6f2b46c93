#if canImport(Glibc)
  import CTransport
  import Foundation
  import StreamImages
  import TestSupport
  import Testing

  /// In processes of their own, because the limit holds for all of a process.
  @Suite(
    "Scarce descriptors: transport", .enabled(if: !isSanitized, "reports of a sanitizer would be lost"),
    .timeLimit(.minutes(5)))
  struct ScarceDescriptorsTests {
    @Test("A transport session is either not created or can be woken, however few descriptors remain")
    func session() async {
      await #expect(processExitsWith: .success) {
        // Libraries open files of their own when they are used first.
        transport_session_free(transport_session_make(4, true, 2, 100))
        var made = 0
        for spare in 0..<8 {
          try DescriptorLimit.leave(spare)
          let session = transport_session_make(4, true, 2, 100)
          DescriptorLimit.lift()
          guard let session else { continue }
          made += 1
          transport_session_wake(session)
          let start = ContinuousClock.now
          guard transport_session_wait(session, 20_000) >= 0, start.duration(to: .now) < .seconds(10) else {
            exit(2)
          }
          transport_session_free(session)
        }
        guard made > 0, made < 8 else { exit(3) }
      }
    }

    @Test("Loads fail without descriptors and succeed once they are available", arguments: [false, true])
    func loads(isFresh: Bool) async {
      if isFresh {
        await #expect(processExitsWith: .success) { try await ScarceLoads.loopback(isFresh: true) }
      } else {
        await #expect(processExitsWith: .success) { try await ScarceLoads.loopback(isFresh: false) }
      }
    }
  }
#endif
