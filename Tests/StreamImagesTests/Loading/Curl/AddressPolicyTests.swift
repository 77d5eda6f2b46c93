import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite(.inRealTime) struct AddressPolicyTests {
  @Test("Addresses that are not public are refused in every spelling")
  func publicOnly() async throws {
    try await withLoopback {
      $0.addressPolicy = .publicOnly
    } _: { server, loader in
      for host in ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "[::1]"] {
        let url = try #require(URL(string: "http://\(host):\(server.port)/"))

        let error = await failure { () throws(DataLoadingError) in
          try await loader.load(DataRequest(url: url))
        }

        guard case .addressRefused? = error else {
          Issue.record("\(host): \(String(describing: error))")
          continue
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

  @Test(
    "IPv4 addresses are classified as public or not, also when embedded in IPv6",
    arguments: [
      ([8, 8, 8, 8], true), ([127, 0, 0, 1], false), ([10, 1, 1, 1], false), ([172, 15, 0, 1], true),
      ([172, 16, 0, 1], false), ([192, 168, 1, 1], false), ([169, 254, 169, 254], false),
      ([100, 63, 0, 1], true), ([100, 64, 0, 1], false), ([0, 0, 0, 0], false), ([224, 0, 0, 1], false),
      ([255, 255, 255, 255], false), ([203, 0, 113, 9], false), ([198, 18, 0, 1], false),
    ])
  func v4(bytes: [UInt8], isPublic: Bool) throws {
    let address = try #require(NetworkAddress(bytes: bytes, port: 80))
    let mapped = try #require(
      NetworkAddress(bytes: Array(repeating: 0, count: 10) + [255, 255] + bytes, port: 80))
    let translated = try #require(
      NetworkAddress(bytes: [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0] + bytes, port: 80))
    let sixToFour = try #require(
      NetworkAddress(bytes: [0x20, 0x02] + bytes + Array(repeating: 0, count: 10), port: 80))

    #expect([address, mapped, translated, sixToFour].map(\.isPublic) == Array(repeating: isPublic, count: 4))
  }

  @Test(
    "IPv6 addresses are classified as public or not by their prefix",
    arguments: [
      ("2607:f8b0", true), ("2001:4860", true), ("fe80", false), ("fc00", false), ("fd12", false),
      ("ff02", false),
      ("2001:db8", false), ("2001:0", false), ("2001:1ff", false), ("3fff", false), ("0", false),
      ("2001:200", true), ("2600:100", true), ("2a01:0", true),
    ])
  func v6(groups: String, isPublic: Bool) throws {
    var bytes = groups.split(separator: ":").flatMap { group in
      let number = UInt16(group, radix: 16)!
      return [UInt8(number >> 8), UInt8(number & 0xFF)]
    }
    bytes += Array(repeating: 0, count: 15 - bytes.count) + [1]

    let address = try #require(NetworkAddress(bytes: bytes, port: 443))

    #expect(address.isPublic == isPublic)
    #expect(NetworkAddress(bytes: [1, 2, 3], port: 1) == nil)
  }
}
