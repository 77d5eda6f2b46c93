#if canImport(Glibc)
  import TestSupport
  import Testing

  /// The files of authorities, the sockets, and what libcurl wakes itself with. In processes of their own, because the limit
  /// holds for all of a process.
  @Suite(
    "Nginx: scarce descriptors",
    .enabled(if: Nginx.isThere && !isSanitized, "reports of a sanitizer would be lost"),
    .timeLimit(.minutes(10)))
  struct NginxDescriptorTests {
    @Test(
      "Loads of a new loader fail without descriptors and succeed afterwards",
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
      "Loads of a used loader fail without descriptors and succeed afterwards",
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
