import Foundation
import StreamImages
import Testing

@Suite("`RedirectChain`")
struct RedirectChainTests {
  private static let methods: [DataRequest.Method] = [.get, .head, .post, .put, .patch, .delete]
  private static let secrets = [
    "Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "Origin", "X-Key",
  ]
  private static let aboutContent = [
    "Content-Type", "Content-Encoding", "Content-Language", "Content-Location", "Digest", "Content-Digest",
  ]

  private func chain(
    _ url: String, _ method: DataRequest.Method = .get, redirects: Int = 5
  ) throws -> RedirectChain {
    var request = DataRequest(url: URL(string: url)!)
    request.method = method
    request.body = method.isSafe ? nil : Data("body".utf8)
    for name in Self.secrets + Self.aboutContent + ["Accept", "Content-Plain"] {
      request.headers.append(name, "1", isSecret: name == "X-Key")
    }
    var limits = LoadLimits()
    limits.maximumRedirectCount = redirects
    return try RedirectChain(request, limits: limits)
  }

  private func names(_ chain: RedirectChain) -> [String] { chain.headers.map(\.name) }

  @Test(
    "A redirect changes the method and drops the body as its status requires", arguments: methods, 300...308)
  func sending(_ method: DataRequest.Method, _ status: Int) throws {
    let first = try chain("https://a.example/x", method)
    let becomesGet =
      switch (status, method) {
      case (301, .post), (302, .post), (303, .post), (303, .put), (303, .patch), (303, .delete): true
      default: false
      }

    let next = try first.following("/y", status: status)

    #expect(next.method == (becomesGet ? .get : method))
    #expect(next.body == (becomesGet ? nil : first.body))
    #expect(names(next) == names(first).filter { !becomesGet || !Self.aboutContent.contains($0) })
  }

  @Test(
    "Secrets are sent to the same scheme, host and port only",
    arguments: [
      ("https://a.example/x", "/y", true), ("https://a.example/x", "https://A.example:443/y", true),
      ("http://a.example/x", "http://a.example:80/y", true),
      ("http://a.example:81/x", "//a.example:81/y", true),
      ("http://a.example/x", "https://a.example/y", false),
      ("http://a.example/x", "https://a.example:80/y", false),
      ("https://a.example/x", "https://b.example/y", false),
      ("https://a.example/x", "https://a.example.org/y", false),
      ("https://a.example/x", "https://x.a.example/y", false),
      ("https://a.example/x", "https://a.example./y", false),
      ("https://a.example/x", "https://a.example:444/y", false),
      ("https://a.example:444/x", "//a.example/y", false),
      ("https://a.example/x", "https://a.example@b.example/y", false),
    ])
  func origins(_ url: String, _ location: String, _ isSame: Bool) throws {
    let first = try chain(url)

    let next = try first.following(location)

    #expect(names(next) == names(first).filter { isSame || !Self.secrets.contains($0) })
  }

  @Test("A redirect to a location with two users is refused")
  func twoUsers() throws {
    let first = try chain("https://a.example/x")

    #expect(throws: DataLoadingError.redirectRefused(.badLocation)) {
      try first.following("https://b.example@c.example@d.example/y")
    }
    #expect(try first.following("https://c.example@d.example/y").target == "https://d.example/y")
  }

  @Test("Dropped secrets are not sent again, also back at the origin")
  func roundTrip() throws {
    let first = try chain("http://a.example/x")

    let last = try first.following("http://b.example/y").following("http://a.example/z")

    #expect(names(last) == names(first).filter { !Self.secrets.contains($0) })
  }

  @Test("As many redirects are followed as the limit has", arguments: 0...3)
  func count(_ limit: Int) throws {
    var chain = try chain("https://a.example/0", redirects: limit)
    for hop in 0..<limit { chain = try chain.following("/\(hop + 1)") }

    #expect(throws: DataLoadingError.tooManyRedirects(limit: limit)) { try chain.following("/\(limit + 1)") }
  }

  @Test("A redirect to an earlier target with the same method is a loop", arguments: 0..<3)
  func loops(_ target: Int) throws {
    var chain = try chain("https://a.example/0")
    for hop in 1..<3 { chain = try chain.following("/\(hop)") }

    #expect(throws: DataLoadingError.redirectRefused(.loop)) { try chain.following("/\(target)#fragment") }
    #expect(try chain.following("/\(target)?q").target == "https://a.example/\(target)?q")
  }

  @Test("Loading from the target that something was sent to is no loop, and sending it again is")
  func sentAndLoaded() throws {
    let first = try chain("https://a.example/0", .post)

    #expect(try first.following("/0", status: 303).method == .get)
    #expect(throws: DataLoadingError.redirectRefused(.loop)) { try first.following("/0", status: 307) }
  }

  @Test("Each byte of a location that may not appear in a URL is encoded")
  func encoding() throws {
    let first = try chain("https://a.example/x")
    for byte in UInt8(1)...127 where byte != UInt8(ascii: "?") && byte != UInt8(ascii: "#") {
      let character = String(Unicode.Scalar(byte))
      let isPlain = byte > 32 && byte < 127 && !"\\\"<>^`{|}".contains(character)
      let digits = String(byte, radix: 16, uppercase: true)

      let target = try first.following("/a\(character)b").target

      #expect(
        target == "https://a.example/a" + (isPlain ? character : "%" + (byte < 16 ? "0" : "") + digits) + "b",
        "\(byte)")
    }
    #expect(try first.following("/é").target == "https://a.example/%C3%A9")
  }

  @Test("A target is sent without its fragment, and with its scheme in lower case")
  func targets() throws {
    #expect(try chain("HTTPS://a.example/x?q#f").target == "https://a.example/x?q")
    #expect(try chain("https://a.example/x?q#f").target == "https://a.example/x?q")
    #expect(try chain("https://a.example/x?q").target == "https://a.example/x?q")
    #expect(try chain("HTTPS://a.example/X").target == "https://a.example/X")
    #expect(try chain("https://a.example/x").following("y#f").target == "https://a.example/y")
  }

  @Test("A load and its redirects use HTTP and HTTPS only, and of these what is allowed")
  func schemes() throws {
    for (scheme, allowed, isAllowed) in [
      ("http", ["http"], true), ("https", ["http"], false), ("http", ["https"], false),
      ("https", ["https"], true), ("HTTP", ["http", "https"], true), ("ftp", ["http", "https"], false),
      ("ftp", ["http", "https", "ftp"], false), ("http", [], false),
    ] as [(String, Set<String>, Bool)] {
      var limits = LoadLimits()
      limits.allowedSchemes = allowed
      let request = DataRequest(url: URL(string: "\(scheme)://a.example/x")!)
      var found: DataLoadingError?
      do throws(DataLoadingError) { _ = try RedirectChain(request, limits: limits) } catch { found = error }
      #expect(found == (isAllowed ? nil : .unsupportedScheme(scheme)))

      // From a load that may use it.
      guard allowed.contains("http") else { continue }
      let first = try RedirectChain(DataRequest(url: URL(string: "http://b.example/")!), limits: limits)
      do throws(DataLoadingError) {
        _ = try first.following("\(scheme)://a.example/x")
        found = nil
      } catch {
        found = error
      }
      #expect(found == (isAllowed ? nil : .redirectRefused(.scheme(scheme))))
    }
  }

  @Test("A load and its redirects lead to hosts that are allowed, and by default to all")
  func hosts() throws {
    let request = DataRequest(url: URL(string: "http://a.example/x")!)
    let first = try RedirectChain(request, limits: LoadLimits(), hosts: ["a.example"])

    #expect(try first.following("http://a.example/y").target == "http://a.example/y")
    #expect(throws: DataLoadingError.redirectRefused(.host("b.example"))) {
      try first.following("http://b.example/y")
    }
    #expect(throws: DataLoadingError.hostRefused(host: "a.example")) {
      try RedirectChain(request, limits: LoadLimits(), hosts: ["b.example"])
    }
    #expect(try chain("http://a.example/x").following("http://b.example/y").origin.host == "b.example")
  }
}
