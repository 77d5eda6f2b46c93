#if os(Linux)
  import CTransport
  import Foundation
  import LoopbackServer
  import Testing

  @Suite("Transport connections", .timeLimit(.minutes(5)))
  struct TransportConnectionTests {
    private func withServer(_ test: (LoopbackServer, TransportSession) async throws -> Void) async throws {
      try await RealTime.run {
        let server = try LoopbackServer()
        defer { server.stop() }
        server.serve("/a", .bytes(pattern(1_000)))
        try await test(server, try TransportSession())
      }
    }

    /// The connections of transfers that run beside each other, sorted.
    private func together(
      _ count: Int, _ server: LoopbackServer, _ session: TransportSession
    ) throws -> [Int64] {
      let records = (0..<count).map { _ in TransferRecord() }
      let transfers = try records.map { try session.transfer(to: server.url("/a"), $0) }
      for transfer in transfers { #expect(transport_transfer_start(transfer, .plain)) }
      #expect(try session.ended(count).allSatisfy { $0.outcome == .done })
      for transfer in transfers { transport_transfer_free(transfer) }
      return records.flatMap(\.connections).sorted()
    }

    @Test("A socket is not inherited, is kept alive, and may be silent as long as its last request says")
    func options() async throws {
      try await withServer { server, session in
        for silence: UInt32 in [20_000, 30_000, 30_000, 0] {
          let outcome = try session.run(
            server.url("/a"),
            options: .plain { $0.silence_milliseconds = silence })
          #expect(outcome == .done)

          let sockets = Socket.connected(to: server.port)
          #expect(sockets.count == 1)
          for socket in sockets {
            #expect(fcntl(socket.number, F_GETFD) & FD_CLOEXEC != 0)
            #expect(socket.option(SOL_SOCKET, SO_KEEPALIVE) == 1)
            let keeping = [TCP_KEEPIDLE, TCP_KEEPINTVL, TCP_KEEPCNT].map {
              socket.option(Int32(IPPROTO_TCP), $0)
            }
            #expect(keeping == [10, 5, 3])
            #expect(socket.option(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT) == Int32(silence))
          }
        }
        #expect(server.requests.map(\.connection) == [1, 1, 1, 1])
      }
    }

    @Test("It is known how long nothing has arrived on a connection, and nothing of one that is not there")
    func silence() async throws {
      try await withServer { server, session in
        let connections = try together(2, server, session)
        for connection in connections {
          while transport_session_silence(session.session, connection) == 0 { await Task.yield() }
          #expect((1..<60_000).contains(transport_session_silence(session.session, connection)))
        }

        #expect(transport_session_silence(session.session, connections[1] + 1_000) == -1)
        #expect(transport_session_silence(session.session, 0) == -1)
      }
    }

    @Test(
      "A connection of which much is read and little is of use is ended at a look, but not at the first",
      arguments: [false, true])
    func floods(hasOther: Bool) async throws {
      try await withServer { server, _ in
        // What follows the size of a chunk is read, and says nothing.
        func serve(_ path: String, _ count: Int) {
          let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
          let text = String(repeating: "x", count: count)
          server.serve(path, .failing(.rawHead("\(head)1;\(text)\r\na\r\n0\r\n\r\n"), body: Data()))
        }
        serve("/flood", 900_000)
        serve("/little", 200_000)
        server.serve("/fair", .bytes(pattern(900_000)))

        for (path, isFirst, isFlood) in [
          ("/fair", false, false), ("/little", false, false), ("/flood", true, false),
          ("/flood", false, true), ("/a", false, false),
        ] {
          // On the first connection of its session, or on the second.
          let session = try TransportSession(), other = TransferRecord(), record = TransferRecord()
          var transfers = hasOther ? [try session.transfer(to: server.url("/a"), other)] : []
          transfers.append(try session.transfer(to: server.url(path), record))
          var ended: Int32 = 0
          record.onBody = { ended += transport_session_end_floods(session.session, isFirst) }
          for transfer in transfers { #expect(transport_transfer_start(transfer, .plain)) }
          _ = try session.ended(transfers.count)
          let wasFlooded = transport_transfer_failure(transfers[transfers.count - 1]).was_flooded
          #expect(!hasOther || !transport_transfer_failure(transfers[0]).was_flooded)
          for transfer in transfers { transport_transfer_free(transfer) }

          #expect(ended == (isFlood ? 1 : 0) && wasFlooded == isFlood, "\(path) \(isFirst)")
          #expect(!record.body.isEmpty, "\(path)")
        }
      }
    }

    @Test("A transfer that was refused its connection has none, and none that was ended")
    func refused() async throws {
      try await withServer { server, session in
        let record = TransferRecord()
        record.mayConnect = false

        let outcome = try session.run(
          server.url("/a"), record, check: { #expect(!transport_transfer_failure($0).was_flooded) })

        #expect(outcome == .cannot_connect && record.connections == [] && record.addresses.count == 1)
        #expect(Socket.connected(to: server.port).isEmpty && server.requests.isEmpty)
      }
    }
  }

  private struct Socket {
    let number: Int32

    /// Sockets of this process whose other end has a port.
    static func connected(to port: UInt16) -> [Socket] {
      (0..<1_024).map { Socket(number: $0) }.filter { $0.remotePort == port }
    }

    private var remotePort: UInt16? {
      var address = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let status = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(number, $0, &size) }
      }
      return status == 0 && address.sin_family == AF_INET ? UInt16(bigEndian: address.sin_port) : nil
    }

    func option(_ level: Int32, _ option: Int32) -> Int32 {
      var value: Int32 = -1
      var size = socklen_t(MemoryLayout<Int32>.size)
      getsockopt(number, level, option, &value, &size)
      return value
    }
  }
#endif
