import Foundation
import LoopbackServer
import StreamImages
import Testing

extension Attacks {
  @Suite("Header bytes", .timeLimit(.minutes(20)))
  struct HeaderByteTests {
    /// A header, in parts between which bytes are put.
    struct Forged: Sendable, CustomTestStringConvertible {
      private let parts: [String]
      var testDescription: String { parts.joined() }

      init(_ parts: String...) { self.parts = parts }

      /// The header with each intruder at each place between two parts.
      var lines: [[UInt8]] {
        Intruder.all.flatMap { intruder in
          (1..<parts.count).compactMap { place in
            let (start, end) = (parts[..<place].joined(), parts[place...].joined())
            // A blank before the name continues the header before it.
            let continues = start.isEmpty && [0x20, 0x09].contains(intruder[0])
            return continues ? nil : Array(start.utf8) + intruder + Array(end.utf8)
          }
        }
      }
    }

    private func body(_ cache: HTTPCache, _ headers: HeaderFields = [:]) async throws -> String {
      let loaded = try await cache.data(for: DataRequest(url: ForgedOrigin.url, headers: headers))
      return String(decoding: loaded.body, as: UTF8.self)
    }

    private func cache(_ origin: ForgedOrigin) -> HTTPCache {
      HTTPCache(origin, store: EncodedMemoryCache(over: nil))
    }

    private func lines(_ text: String...) -> [[UInt8]] { text.map { Array($0.utf8) } }

    private func isSendable(_ value: String) -> Bool {
      value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }

    private func text(_ line: [UInt8]) -> String { String(decoding: line, as: UTF8.self).debugDescription }

    @Test(
      "A header that forbids reuse forbids it despite control bytes and combining marks",
      arguments: [
        Forged("Cache-Control:", " ", "no-store", ""), Forged("Cache-Control:", " no-store", ", x=1"),
        Forged("Cache-Control: x=1,", " ", "no-cache", ""), Forged("", "Cache-Control", ": no-store"),
        Forged("Vary:", " ", "*", ""), Forged("Vary: Accept,", "*", ""), Forged("", "Vary", ": *"),
      ])
    func reuse(_ forged: Forged) async throws {
      for line in forged.lines {
        let fresh = lines(
          "Expires: Fri, 31 Dec 9999 23:59:59 GMT", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT")
        let cache = cache(ForgedOrigin(fresh + [line] + lines("X-Last: 1")))

        let bodies = [try await body(cache), try await body(cache)]

        #expect(bodies == ["1", "2"], "\(text(line))")
      }
    }

    @Test(
      "A response that varies by a header is not reused for another value of it",
      arguments: [
        Forged("Vary:", " ", "X-User", ""), Forged("Vary:", "X-User", ",", " Accept"),
        Forged("Vary: Accept,", " ", "X-User", ""), Forged("Vary", ": X-User"),
      ])
    func variation(_ forged: Forged) async throws {
      for line in forged.lines {
        let cache = cache(ForgedOrigin(lines("Cache-Control: max-age=60") + [line] + lines("X-Last: 1")))

        let first = try await body(cache, ["X-User": "a"])
        let second = try await body(cache, ["X-User": "b"])

        #expect([first, second] == ["1", "2"], "\(text(line))")
      }
    }

    @Test(
      "A stored validator with bytes that cannot be sent does not make later loads fail",
      arguments: [
        Forged("Last-Modified:", " Sun, 06 Nov 1994", " 08:49:37 GMT", ""),
        Forged("ETag:", " \"a", "b\"", ""),
      ])
    func validators(_ forged: Forged) async throws {
      for line in forged.lines {
        let cache = cache(ForgedOrigin(lines("Cache-Control: no-cache") + [line] + lines("X-Last: 1")))

        let bodies = [try await body(cache), try await body(cache)]

        #expect(bodies == ["1", "2"], "\(text(line))")
      }
    }

    @Test("Entity tags in two normal forms are two tags")
    func tags() throws {
      let composed = try #require(EntityTag("\"jos\u{E9}\""))
      let decomposed = try #require(EntityTag("\"jose\u{301}\""))

      #expect(!composed.isStronglyEqual(to: decomposed) && !composed.isWeaklyEqual(to: decomposed))
      #expect(EntityTag("\"\u{301}a\"") != nil)
    }

    @Test("A stored response is read back with the headers it was stored with")
    func storage() async throws {
      for intruder in Intruder.all {
        var line = Array("X-Odd: a".utf8)
        line += intruder + Array("b".utf8)
        let cache = cache(ForgedOrigin(lines("Cache-Control: max-age=60") + [line] + lines("X-Last: 1")))

        let stored = try await cache.data(for: DataRequest(url: ForgedOrigin.url)).head
        let found = try await cache.data(for: DataRequest(url: ForgedOrigin.url)).head

        #expect(found.cacheStatus == .hit)
        #expect(
          found.headers["X-Last"] == "1" && found.headers["X-Odd"] == stored.headers["X-Odd"], "\(intruder)")
        #expect(stored.headers.allSatisfy { isSendable($0.value) }, "\(intruder)")
      }
    }

    @Test(
      "A validator with a bare carriage return is sent with a space, unless libcurl refuses it",
      .inRealTime)
    func server() async throws {
      try await withLoopback { server, network async throws in
        let head =
          "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\nLast-Modified: a\rb\r\nCache-Control: no-cache\r\n\r\n"
        server.serve("/a", Reply(body: Data("x".utf8)).with { $0.fault = .rawHead(head) })
        let cache = HTTPCache(network, store: EncodedMemoryCache(over: nil))
        let request = DataRequest(url: server.url("/a"))

        do {
          let bodies = [try await cache.data(for: request).body, try await cache.data(for: request).body]

          #expect(bodies == [Data("x".utf8), Data("x".utf8)])
          #expect(server.requests.map { $0[header: "If-Modified-Since"] } == [nil, "a b"])
        } catch DataLoadingError.protocolViolation("Carriage return found in header") {
          // As libcurl 8.23 does.
          #expect(server.requests.map { $0[header: "If-Modified-Since"] } == [nil])
        }
      }
    }
  }
}
