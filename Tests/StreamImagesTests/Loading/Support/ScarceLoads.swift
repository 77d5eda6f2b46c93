#if canImport(Glibc)
  import Foundation
  import LoopbackServer
  import StreamImages

  /// Loads in a process that has no descriptors left. Exits with a number if one is wrong.
  enum ScarceLoads {
    static func loopback(isFresh: Bool) async throws {
      let server = try LoopbackServer()
      server.serve("*", .bytes(Data(count: 20_000)))
      // By name, so that resolving it takes descriptors, too.
      try await run(URL(string: "http://localhost:\(server.port)/")!, isFresh: isFresh) { CurlLoader($0) }
      server.stop()
    }

    static func nginx(_ way: Way, isFresh: Bool) async throws {
      try await run(way.url("/small"), isFresh: isFresh) { configuration in
        way.loader { $0.idleConnectionLifetime = configuration.idleConnectionLifetime }
      }
    }

    /// - Parameter isFresh: Whether each loader is new, or one has connections that are idle, and closes them at once.
    private static func run(
      _ url: URL, isFresh: Bool, _ make: (CurlLoader.Configuration) -> CurlLoader
    ) async throws {
      // A load that never ends is found.
      DispatchQueue.global().asyncAfter(deadline: .now() + 120) { exit(9) }
      let request = DataRequest(url: url)
      var limits = LoadLimits()
      (limits.connectTimeout, limits.firstByteTimeout) = (.milliseconds(300), .milliseconds(300))
      var configuration = CurlLoader.Configuration()
      configuration.proxy = .none
      configuration.idleConnectionLifetime = .zero
      var loader = make(configuration)
      _ = try await loader.data(for: request)
      var failed = 0
      for spare in 0..<14 {
        if isFresh { loader = make(configuration) }
        try DescriptorLimit.leave(spare)
        for _ in 0..<3 {
          do { _ = try await loader.data(for: request, limits: limits) } catch {
            guard error.isTransient else {
              print("not transient: \(error)")
              exit(4)
            }
            failed += 1
          }
        }
        DescriptorLimit.lift()
        guard try await loader.data(for: request).body.count == 20_000 else { exit(5) }
      }
      // One that keeps its idle connection needs no descriptor.
      guard failed > 0 || !isFresh else { exit(6) }
      loader.invalidate()
    }
  }

  enum DescriptorLimit {
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
