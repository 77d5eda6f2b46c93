#if canImport(Glibc)
  import CTransport
  import Foundation
  import LoopbackServer
  import StreamImages
  import TestSupport
  import Testing

  /// In processes of their own, because the limit holds for all of a process.
  @Suite(
    "Without descriptors", .enabled(if: !isSanitized, "reports of a sanitizer would be lost"),
    .timeLimit(.minutes(5)))
  struct ScarceDescriptorsTests {
    @Test("there is no session, and none that nothing can wake")
    func session() async {
      await #expect(processExitsWith: .success) {
        // Libraries open files of their own when they are used first.
        transport_session_free(transport_session_make(4, true, 2))
        var made = 0
        for spare in 0..<8 {
          try DescriptorLimit.leave(spare)
          let session = transport_session_make(4, true, 2)
          DescriptorLimit.lift()
          guard let session else { continue }
          made += 1
          transport_session_wake(session)
          let start = ContinuousClock.now
          guard transport_session_wait(session, 20_000), start.duration(to: .now) < .seconds(10) else {
            exit(2)
          }
          transport_session_free(session)
        }
        guard made > 0, made < 8 else { exit(3) }
      }
    }

    @Test("loads fail, whichever call lacks one, and are right again afterwards", arguments: [false, true])
    func loads(isFresh: Bool) async {
      if isFresh {
        await #expect(processExitsWith: .success) { try await ScarceLoads.run(isFresh: true) }
      } else {
        await #expect(processExitsWith: .success) { try await ScarceLoads.run(isFresh: false) }
      }
    }
  }

  private enum ScarceLoads {
    /// - Parameter isFresh: Whether each loader is new, or one has connections that are idle, and closes them at once.
    static func run(isFresh: Bool) async throws {
      // A load that never ends is found.
      DispatchQueue.global().asyncAfter(deadline: .now() + 120) { exit(9) }
      let server = try LoopbackServer()
      server.serve("*", .bytes(Data(count: 1000)))
      // By name, so that resolving it takes descriptors, too.
      let request = DataRequest(url: URL(string: "http://localhost:\(server.port)/")!)
      var limits = LoadLimits()
      (limits.connectTimeout, limits.firstByteTimeout) = (.milliseconds(300), .milliseconds(300))
      var configuration = CurlLoader.Configuration()
      configuration.proxy = .none
      configuration.idleConnectionLifetime = .zero
      var loader = CurlLoader(configuration)
      _ = try await loader.data(for: request)
      var failed = 0
      for spare in 0..<14 {
        if isFresh { loader = CurlLoader(configuration) }
        try DescriptorLimit.leave(spare)
        for _ in 0..<3 {
          do { _ = try await loader.data(for: request, limits: limits) } catch {
            guard error.isTransient else { exit(4) }
            failed += 1
          }
        }
        DescriptorLimit.lift()
        guard try await loader.data(for: request).body.count == 1000 else { exit(5) }
      }
      // One that keeps its idle connection needs no descriptor.
      guard failed > 0 || !isFresh else { exit(6) }
      loader.invalidate()
      server.stop()
    }
  }

  private enum DescriptorLimit {
    /// So that only `count` more can be opened.
    static func leave(_ count: Int) throws {
      let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      // Without the one that the list itself needed.
      let used = Set(names.compactMap { Int($0) }.filter { fcntl(CInt($0), F_GETFD) != -1 })
      var (end, free) = (0, 0)
      while free < count || used.contains(end) {
        if !used.contains(end) { free += 1 }
        end += 1
      }
      set(end)
    }

    static func lift() { set(4096) }

    private static func set(_ count: Int) {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      limit.rlim_cur = min(limit.rlim_max, rlim_t(count))
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
  }
#endif
