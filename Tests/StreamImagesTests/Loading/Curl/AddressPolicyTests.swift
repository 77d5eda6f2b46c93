import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite(.inRealTime) struct AddressPolicyTests {
  /// This machine, as resolvers understand it.
  private static let spellings = [
    "127.0.0.1", "127.0.0.1.", "localhost", "LOCALHOST", "localhost.", "2130706433", "017700000001",
    "0x7f000001", "0x7F.0.0.1", "0x7f.1", "0177.0.0.1", "127.0.1", "127.1", "127.255.255.254", "0", "0.0.0.0",
    "[::1]", "[0:0:0:0:0:0:0:1]", "[::]", "[::ffff:127.0.0.1]", "[::FFFF:7F00:1]", "[::127.0.0.1]",
  ]

  @Test("Addresses that are not public are refused in every spelling")
  func publicOnly() async throws {
    try await withLoopback {
      $0.addressPolicy = .publicOnly
    } _: { server, loader in
      for host in Self.spellings {
        let url = try #require(URL(string: "http://\(host):\(server.port)/"))

        let error = await failure { () throws(DataLoadingError) in
          try await loader.load(DataRequest(url: url))
        }

        switch error {
        case .addressRefused?: break
        // Some resolvers do not look up such a name.
        case .cannotResolve? where host.hasSuffix("."): break
        default: Issue.record("\(host): \(String(describing: error))")
        }
      }
      #expect(server.connectionCount == 0)
    }
  }

  @Test("A custom address policy receives address and port")
  func ownPolicy() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("*", .bytes(Data()))
    let port = server.port
    try await withLoopback {
      $0.addressPolicy = AddressPolicy { $0.bytes == [127, 0, 0, 1] && $0.port == port }
    } _: { other, loader in
      let refused = await failure { () throws(DataLoadingError) in
        try await loader.load(DataRequest(url: other.url("/")))
      }
      let allowed = try await loader.load(DataRequest(url: server.url("/"))).head

      #expect(refused == .addressRefused(host: "127.0.0.1"))
      #expect(allowed.status == 200)
    }
  }

  @Test("A redirect to a refused address fails although the first address is allowed")
  func redirected() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let port = server.port
    try await withLoopback {
      $0.addressPolicy = AddressPolicy { $0.port == port }
    } _: { other, loader in
      server.serve("/a", .redirect(to: other.url("/b").absoluteString))

      let error = await failure { () throws(DataLoadingError) in
        try await loader.load(DataRequest(url: server.url("/a")))
      }

      #expect(error == .addressRefused(host: "127.0.0.1"))
      #expect(other.connectionCount == 0)
    }
  }
}
