import CTransport
import Foundation
import LoopbackServer
import Testing

@Suite("Transfers of libcurl", .timeLimit(.minutes(5)))
struct TransferTests {
  private func withServer(_ test: (LoopbackServer, TransportSession) async throws -> Void) async throws {
    try await RealTime.run {
      let server = try LoopbackServer()
      defer { server.stop() }
      server.serve("/a", .bytes(pattern(100_000)))
      try await test(server, try TransportSession())
    }
  }

  @Test("A transfer delivers its head, body, address and connection, which the next one uses again")
  func delivery() async throws {
    try await withServer { server, session in
      let first = TransferRecord(), second = TransferRecord()

      let outcome = try session.run(
        server.url("/a"), first,
        check: { transfer in
          #expect(transport_transfer_wire_bytes(transfer) == 100_000)
          #expect(
            transport_transfer_failure(transfer).socket_error == 0
              && !transport_transfer_failure(transfer).was_flooded)
        })
      #expect(try session.run(server.url("/a"), second) == .done)

      #expect(outcome == .done && first.body == pattern(100_000) && second.body == first.body)
      #expect(
        first.lines.first == "HTTP/1.1 200 OK\r\n" && first.lines.last == "\r\n" && first.lines.count > 3)
      #expect(first.addresses == [[127, 0, 0, 1]] && first.ports == [server.port] && second.addresses == [])
      #expect(
        first.connections.count == 1 && first.connections[0] > 0 && second.connections == first.connections)
      #expect(
        server.requests.map(\.method) == ["GET", "GET"] && server.requests.map(\.connection) == [1, 1])
      #expect(
        server.requests.allSatisfy {
          $0[header: "Accept"] == "image/*" && $0[header: "Accept-Encoding"] == nil
        })
    }
  }

  @Test("A transfer ends where a callback refuses its head, its body or its address")
  func refusals() async throws {
    try await withServer { server, session in
      let head = TransferRecord(), body = TransferRecord(), address = TransferRecord()
      (head.acceptsHead, body.acceptsBody, address.mayConnect) = (false, false, false)

      let refused = try session.run(server.url("/a"), address)
      #expect(refused == .cannot_connect && server.requests.isEmpty && address.connections == [])
      #expect(try !session.isNextSetUp(server.url("/a")))
      #expect(try session.run(server.url("/a"), head) == .stopped)
      #expect(head.lines.count == 1 && head.body.isEmpty)
      #expect(try !session.isNextSetUp(server.url("/a")))
      #expect(try session.run(server.url("/a"), body) == .stopped)
      #expect(body.lines.last == "\r\n" && !body.body.isEmpty && body.body.count < 100_000)
      #expect(try !session.isNextSetUp(server.url("/a")))
    }
  }

  @Test("An address of IPv6 is asked about in all of its bytes, and other protocols are refused")
  func addresses() throws {
    let session = try TransportSession(), received = TransferRecord()
    received.mayConnect = false

    #expect(try session.run(try #require(URL(string: "http://[::1]:1234/")), received) == .cannot_connect)

    #expect(received.addresses == [[UInt8](repeating: 0, count: 15) + [1]] && received.ports == [1_234])
    for url in ["file:///etc/hostname", "ftp://127.0.0.1:9/"] {
      let other = TransferRecord()
      other.mayConnect = false
      #expect(try session.run(try #require(URL(string: url)), other) == .violation, "\(url)")
      #expect(other.body.isEmpty && other.addresses == [])
    }
  }

  @Test("Nothing of a special request gets into the next one, which is set up anew")
  func specials() async throws {
    let plain = transport_options.plain
    let http2 = transport_options.plain { ($0.uses_http2, $0.waits_for_connection) = (true, true) }
    let specials: [(String, Bool, transport_options, @Sendable (OpaquePointer) -> Bool)] = [
      ("HEAD", false, .plain { $0.is_head_only = true }, { _ in true }),
      ("PUT", false, plain, { transport_transfer_send($0, "PUT", "body", 4) }),
      ("POST", false, plain, { transport_transfer_send($0, "POST", nil, 0) }),
      ("DELETE", false, plain, { transport_transfer_send($0, "DELETE", nil, -1) }),
      ("GET", false, .plain { $0.accepts_coding = true }, { _ in true }),
      (
        "GET", true, .plain { $0.has_own_headers = true },
        { transport_transfer_add_header($0, "A: b") && transport_transfer_add_header($0, "C: d") }
      ),
      ("GET", true, plain, { _ in true }),
      ("GET", true, .plain { $0.weight = 200 }, { _ in true }),
      ("GET", true, http2, { _ in true }),
    ]
    try await withServer { server, session in
      for (index, (method, isKept, options, configure)) in specials.enumerated() {
        let received = TransferRecord(), isOwn = index == 5

        #expect(
          try session.run(server.url("/a"), received, options: options, configure: configure) == .done)

        let request = try #require(server.requests.last)
        #expect(request.method == method && request.body == (index == 1 ? Array("body".utf8) : []))
        #expect(request[header: "Content-Length"] == [1: "4", 2: "0"][index])
        #expect((request[header: "Accept-Encoding"] != nil) == (index == 4))
        #expect(request[header: "Accept"] == (isOwn ? "*/*" : "image/*"))
        #expect([request[header: "A"], request[header: "C"]] == (isOwn ? ["b", "d"] : [nil, nil]))
        #expect(received.body.count == (method == "HEAD" ? 0 : 100_000))
        #expect(try session.isNextSetUp(server.url("/a")) == isKept, "\(index)")
        let plain = TransferRecord()
        #expect(try session.run(server.url("/a"), plain) == .done && plain.body == pattern(100_000))
        let next = try #require(server.requests.last)
        #expect(next.method == "GET" && next.body == [] && next[header: "Content-Length"] == nil)
        #expect(
          next[header: "Accept-Encoding"] == nil && next[header: "A"] == nil
            && next[header: "Accept"] == "image/*")
      }
    }
  }

  @Test("Sixteen transfers that have ended well are kept for others, and no more")
  func spares() async throws {
    try await withServer { server, session in
      server.serve("/small", .bytes(Data([1])))
      var received = (0..<18).map { _ in TransferRecord() }
      let transfers = try received.map { try session.transfer(to: server.url("/small"), $0) }
      #expect(
        transfers.allSatisfy { !transport_transfer_is_set_up($0) && transport_transfer_start($0, .plain) })
      let ended = try session.ended(18)
      #expect(ended.allSatisfy { $0.outcome == .done } && Set(ended.map(\.context)).count == 18)
      for transfer in transfers { transport_transfer_free(transfer) }

      received = (0..<18).map { _ in TransferRecord() }
      let others = try received.map { try session.transfer(to: server.url("/small"), $0) }

      #expect(others.map { transport_transfer_is_set_up($0) } == (0..<18).map { $0 < 16 })
      for transfer in others { transport_transfer_free(transfer) }
      // They have not run, and so have not ended well.
      #expect(try !session.isNextSetUp(server.url("/small")))
    }
  }

  @Test("A failure has a message, and none of it is left in the next transfer")
  func messages() async throws {
    try await withServer { server, session in
      let refusing = try RefusingPort()
      let outcome = try session.run(
        refusing.url("/"),
        check: { transfer in #expect(String(cString: transport_transfer_failure(transfer).message) != "") })
      #expect(outcome == .cannot_connect)
      #expect(try session.run(server.url("/a")) == .done)
    }
  }
}
