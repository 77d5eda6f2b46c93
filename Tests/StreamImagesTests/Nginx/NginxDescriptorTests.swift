#if canImport(Glibc)
  import TestSupport
  import Testing

  /// The files of authorities, the sockets, and what libcurl wakes itself with. In processes of their own, because the limit
  /// holds for all of a process.
  @Suite(
    "Nginx, without descriptors",
    .enabled(if: Nginx.isThere && !isSanitized, "reports of a sanitizer would be lost"),
    .timeLimit(.minutes(10)))
  struct NginxDescriptorTests {
    @Test(
      "loads of a new loader fail, whichever call lacks one, and are right again afterwards",
      arguments: Way.allCases)
    func fresh(_ way: Way) async {
      switch way {
      case .plain:
        await #expect(processExitsWith: .success) { try await ScarceLoads.nginx(.plain, isFresh: true) }
      case .secure:
        await #expect(processExitsWith: .success) { try await ScarceLoads.nginx(.secure, isFresh: true) }
      case .http2:
        await #expect(processExitsWith: .success) { try await ScarceLoads.nginx(.http2, isFresh: true) }
      }
    }

    @Test(
      "loads of one whose connections are closed as soon as they are idle do the same",
      arguments: Way.allCases)
    func used(_ way: Way) async {
      switch way {
      case .plain:
        await #expect(processExitsWith: .success) { try await ScarceLoads.nginx(.plain, isFresh: false) }
      case .secure:
        await #expect(processExitsWith: .success) { try await ScarceLoads.nginx(.secure, isFresh: false) }
      case .http2:
        await #expect(processExitsWith: .success) { try await ScarceLoads.nginx(.http2, isFresh: false) }
      }
    }
  }
#endif
