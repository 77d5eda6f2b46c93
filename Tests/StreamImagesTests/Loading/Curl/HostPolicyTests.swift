import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite("Allowed hosts", .inRealTime)
struct HostPolicyTests {
  private func error(
    _ url: URL, _ hosts: HostPolicy, through wrap: (CurlLoader) -> any DataLoading = { $0 }
  ) async throws -> DataLoadingError? {
    var result: DataLoadingError?
    try await withLoopback {
      $0.hostPolicy = hosts
    } _: { _, loader in
      let loader = wrap(loader)
      result = await failure { () throws(DataLoadingError) in
        try await loader.data(for: DataRequest(url: url))
      }
    }
    return result
  }

  @Test(
    "A host pattern matches a name regardless of case and a trailing dot",
    arguments: [
      ("images.example.com", "https://images.example.com/a", true),
      ("images.example.com", "https://IMAGES.Example.COM/a", true),
      ("Images.EXAMPLE.com.", "https://images.example.com/a", true),
      ("images.example.com", "https://images.example.com./a", true),
      ("images.example.com", "https://images.example.com../a", false),
      ("images.example.com", "https://images.example.com.evil.com/a", false),
      ("images.example.com", "https://evilimages.example.com/a", false),
      ("images.example.com", "https://example.com/a", false),
      ("images.example.com", "https:///images.example.com", false),
      ("bücher.example", "https://xn--bcher-kva.example/", true),
      ("xn--bcher-kva.example", "https://bücher.example/", true),
      ("example.com", "https://ex%61mple.com/", false),
      ("example.com", "https://example.com%00.evil.com/", false),
      ("example.com", "https://example.com%2Eevil.com/", false),
    ])
  func names(pattern: String, url: String, isAllowed: Bool) throws {
    let policy = HostPolicy(allowing: [try #require(HostPolicy.Pattern(pattern))])

    #expect(policy.allows(try #require(URL(string: url))) == isAllowed)
  }

  @Test(
    "A wildcard host pattern matches subdomains and not the domain itself",
    arguments: [
      ("a.example.com", true), ("a.b.example.com", true), ("A.EXAMPLE.COM.", true), ("example.com", false),
      ("evilexample.com", false), (".example.com", false), ("a..example.com", false),
      ("example.com.evil.com", false), ("a.example.com.evil.com", false), ("a.example.org", false),
    ])
  func domains(host: String, isAllowed: Bool) throws {
    let policy: HostPolicy = ["*.example.com"]

    #expect(policy.allows(try #require(URL(string: "https://\(host)/a"))) == isAllowed)
  }

  @Test(
    "A host pattern matches the standard port unless it names another",
    arguments: [
      ("example.com", "https://example.com/", true), ("example.com", "https://example.com:443/", true),
      ("example.com", "http://example.com/", true), ("example.com", "http://example.com:443/", false),
      ("example.com", "https://example.com:8443/", false),
      ("example.com:8443", "https://example.com:8443/", true),
      ("example.com:8443", "https://example.com/", false), ("example.com:*", "http://example.com:22/", true),
      ("*.example.com:8443", "https://a.example.com:8443/", true),
    ])
  func ports(pattern: String, url: String, isAllowed: Bool) throws {
    let policy = HostPolicy(allowing: [try #require(HostPolicy.Pattern(pattern))])

    #expect(policy.allows(try #require(URL(string: url))) == isAllowed)
  }

  @Test("A URL without a valid host is allowed only if every host is")
  func noHost() throws {
    for text in ["data:,a", "file:///a", "https:///a", "https://a.com:0/"] {
      let url = try #require(URL(string: text))
      #expect(HostPolicy.any.allows(url))
      #expect(!HostPolicy(allowing: ["a.com"]).allows(url))
    }
  }

  @Test(
    "A user in a URL is not mistaken for its host",
    arguments: [
      "http://example.com@evil.com/", "http://example.com:80@evil.com/", "http://evil.com\\@example.com:81/",
      "http://evil.com#@example.com/", "http://evil.com?@example.com/", "http://evil.com/@example.com/",
      "http://a@evil.com:80@example.com:81/",
    ])
  func users(text: String) throws {
    let policy: HostPolicy = ["example.com"]

    #expect(!policy.allows(try #require(URL(string: text))))
    #expect(policy.allows(try #require(URL(string: "http://evil.com:secret@example.com/"))))
  }

  @Test(
    "An address pattern matches only its own address and no alias that resolvers accept",
    arguments: [
      ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "0x7f.1", false), ("127.0.0.1", "2130706433", false),
      ("127.0.0.1", "127.1", false), ("127.0.0.1", "0177.0.0.1", false),
      ("127.0.0.1", "[::ffff:127.0.0.1]", false),
      ("[2001:db8::1]", "[2001:DB8:0:0::1]", true), ("[2001:db8::1]", "[2001:db8::2]", false),
      ("*.example.com", "127.0.0.1", false), ("localhost", "127.0.0.1", false),
    ])
  func addresses(pattern: String, host: String, isAllowed: Bool) throws {
    let policy = HostPolicy(allowing: [try #require(HostPolicy.Pattern(pattern))])

    #expect(policy.allows(try #require(URL(string: "http://\(host)/"))) == isAllowed)
  }

  @Test(
    "Invalid text is not a host pattern",
    arguments: [
      "", "*", "*.", "*.*", "a.*", "*a.com", "a*.com", "https://a.com", "a.com/b", "a@b.com", "a.com:0",
      "a.com:x", "a.com:99999", "a.com:80:*", "a..com", "*.127.0.0.1", "*.[::1]", "::1", "a b.com", "1.2.3",
      "0x7f", "a.0xFF",
    ])
  func patterns(text: String) {
    #expect(HostPolicy.Pattern(text) == nil)
  }

  @Test("A host name has letters, digits, hyphens and underscores", arguments: 0..<128)
  func characters(_ code: Int) {
    let character = Character(Unicode.Scalar(UInt8(code)))
    let isPlain = character.isLetter || character.isNumber || "-_.".contains(character)

    #expect((HostPolicy.Pattern("a\(character)b.example") != nil) == isPlain)
    #expect((HostPolicy.Pattern("x.a\(character)b") != nil) == isPlain)
  }

  @Test("A host name has at most 253 characters, without the dot at its end", arguments: [252, 253, 254])
  func length(_ count: Int) {
    let labels = String(repeating: "a.", count: 125)
    let name = labels + String(repeating: "b", count: count - 250)

    #expect((HostPolicy.Pattern(name) != nil) == (count <= 253))
    #expect((HostPolicy.Pattern(name + ".") != nil) == (count <= 253))
  }

  @Test(
    "A host whose last label is a number is an IPv4 address in four decimal parts",
    arguments: [
      ("0.0.0.0", true), ("255.255.255.255", true), ("255.255.255.256", false), ("1.2.3.4.5", false),
      ("1.2.3", false), ("01.2.3.4", false), ("1.2.3.0x4", false), ("a.0", false), ("a.9", false),
      ("a.00", false), ("a.0x", false), ("a.0x0", false), ("a.0x9", false), ("a.0xa", false),
      ("a.0xf", false),
      ("a.0xg", true), ("a.1x", true), ("a.x0", true), ("a.9b", true), ("9.a", true), ("0xf.a", true),
      ("[::1]", true), ("[1::2::3]", false), ("[::1", false), ("[::ffff:1.2.3.4]", true), ("[]", false),
    ])
  func numbers(_ text: String, _ isPattern: Bool) {
    #expect((HostPolicy.Pattern(text) != nil) == isPattern)
  }

  @Test(
    "A port is between 1 and 65,535", arguments: [(0, false), (1, true), (65_535, true), (65_536, false)])
  func portBounds(_ port: Int, _ isPort: Bool) {
    #expect((HostPolicy.Pattern("a.example:\(port)") != nil) == isPort)
  }

  @Test("Patterns are equal if host, subdomains and port are")
  func equality() {
    let texts = [
      "a.example", "*.a.example", "a.example:*", "*.a.example:*", "a.example:80", "b.example", "1.2.3.4",
    ]
    let patterns = texts.compactMap { HostPolicy.Pattern($0) }

    #expect(Set(patterns).count == texts.count)
    #expect(HostPolicy(allowing: patterns) != .any && HostPolicy(allowing: []) != .any)
  }

  @Test("An invalid host pattern literal matches nothing")
  func wrongLiteral() throws {
    let policy: HostPolicy = ["https://example.com"]

    #expect(!policy.allows(try #require(URL(string: "https://example.com/"))))
    #expect(("https://example.com" as HostPolicy.Pattern).description == "not a pattern")
  }

  @Test("A host pattern is described as it is written")
  func description() {
    let patterns: [String] = [
      "*.example.com:*", "example.com", "example.com:81", "127.0.0.1:80", "*.example.com",
    ]

    #expect(patterns.compactMap { text in HostPolicy.Pattern(text)?.description } == patterns)
    #expect(("A.example." as HostPolicy.Pattern).description == "a.example")
  }

  @Test("An empty host list allows no host, and `.any` allows every host")
  func extremes() throws {
    let url = try #require(URL(string: "https://example.com/"))

    #expect(!HostPolicy(allowing: []).allows(url))
    #expect(HostPolicy.any.allows(url))
  }

  @Test(
    "A host that is not allowed is neither resolved nor contacted",
    arguments: ["localhost", "a.invalid"])
  func first(host: String) async throws {
    let server = try LoopbackServer()
    defer { server.stop() }

    let error = try await error(URL(string: "http://\(host):\(server.port)/")!, ["127.0.0.1:*"])

    #expect(error == .hostRefused(host: host))
    #expect(error?.isTransient == false)
    #expect(server.connectionCount == 0)
  }

  @Test(
    "A redirect to another host is refused and nothing reaches it", arguments: [false, true])
  func redirects(isCached: Bool) async throws {
    let (allowed, other) = (try LoopbackServer(), try LoopbackServer())
    let folder = try TemporaryFolder()
    defer {
      allowed.stop()
      other.stop()
    }
    allowed.serve("/a", .redirect(to: "/b"))
    other.serve("*", .bytes(pattern(10)))
    let hosts: HostPolicy = [HostPolicy.Pattern("127.0.0.1:\(allowed.port)")!]
    let places = [
      "http://localhost:\(allowed.port)/", "http://127.0.0.1:\(other.port)/", "//LOCALHOST:\(other.port)/",
      "http://127.0.0.1:\(allowed.port)@localhost:\(other.port)/", "http://0x7f.1:\(allowed.port)/",
      "http://127.0.0.%31:\(allowed.port)/", "http://127.1:\(allowed.port)/",
    ]

    for place in places {
      allowed.serve("/b", .redirect(to: place))
      let store = DataCache(directory: folder.url.appending(path: "cache"))
      let error = try await self.error(allowed.url("/a"), hosts) { loader -> any DataLoading in
        if isCached { HTTPCache(loader, store: store) } else { loader }
      }
      guard case .redirectRefused(.host)? = error else {
        Issue.record("\(place): \(String(describing: error))")
        continue
      }
      #expect(error?.isTransient == false)
    }
    allowed.serve("/b", .redirect(to: "http://127.0.0.1:\(allowed.port)/c"))
    allowed.serve("/c", .bytes(pattern(10)))

    #expect(try await self.error(allowed.url("/a"), hosts) == nil)
    #expect(other.connectionCount == 0)
  }
}
