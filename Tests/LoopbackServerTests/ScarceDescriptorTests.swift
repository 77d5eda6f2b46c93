#if canImport(Glibc)
  import Foundation
  import LoopbackServer
  import LoopbackSockets
  import Testing

  /// In processes of their own, because no descriptor is left in them.
  @Suite struct ScarceDescriptorTests {
    @Test("A server without a descriptor for a connection takes no processor time, and accepts it later")
    func server() async {
      await #expect(processExitsWith: .success) {
        let server = try LoopbackServer()

        let time = try ScarceDescriptorTests.processorTime(whileConnectingTo: server.port)

        precondition(time < 0.1, "\(time)")
        let event = await server.event { if case .opened = $0 { true } else { false } }
        precondition(event != nil)
      }
    }

    @Test("A relay without a descriptor for a connection takes no processor time, and accepts it later")
    func relay() async {
      await #expect(processExitsWith: .success) {
        let server = try LoopbackServer()
        let relay = try NetworkRelay(to: server.port)

        let time = try ScarceDescriptorTests.processorTime(whileConnectingTo: relay.port)

        precondition(time < 0.1, "\(time)")
        let event = await server.event { if case .opened = $0 { true } else { false } }
        precondition(event != nil)
      }
    }

    /// The seconds of processor time in half a second, while there is no descriptor for a connection.
    private static func processorTime(whileConnectingTo port: UInt16) throws -> Double {
      let never = try Alarm()
      allow(256)
      var taken: [CInt] = []
      while case let descriptor = open("/dev/null", O_RDONLY), descriptor >= 0 { taken.append(descriptor) }
      // The client needs one.
      close(taken.removeLast())
      let client = try Socket.connecting(to: port)

      let start = processorTime()
      _ = Socket.wait(for: [], alarm: never, timeout: .milliseconds(500))
      let time = processorTime() - start

      // All at once, because a relay needs two.
      allow(.max)
      withExtendedLifetime(client) {}
      return time
    }

    private static func allow(_ descriptorCount: rlim_t) {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      limit.rlim_cur = min(limit.rlim_max, descriptorCount)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    private static func processorTime() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
  }
#endif
