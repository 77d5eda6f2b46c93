import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InMemoryLogging
import Logging
import StreamImages
import StreamImagesS3
import Testing
import ThumbnailServer

@Suite("The deployed thumbnail server", .timeLimit(.minutes(5)))
struct ServingTests {
  @Test("logs each refusal with its code, status and URL, and no secret of the URL")
  func log() async throws {
    let log = InMemoryLogHandler()
    try await withServers {
      $0.logger = Logger(label: "test") { _ in log }
    } _: { client, origin, _ in
      _ = try await client.thumbnail("url=\(origin)/missing?token=opensesame&w=10")
      _ = try await client.thumbnail("url=\(origin)/image.png&w=0")
      _ = try await client.execute(uri: "/nothing", method: .get) { $0 }
      _ = try await client.thumbnail("url=\(origin)/image.png&w=10")

      let lines = log.entries.filter { $0.message == "refused" }.map { entry in
        ["error.type", "http.response.status_code", "image.url"].map {
          entry.metadata[$0].map { "\($0)" } ?? "-"
        }
        .joined(separator: " ")
      }
      #expect(
        lines == [
          "loading.status 404 \(origin)/missing?…", "query.w 400 \(origin)/image.png",
          "server.not-found 404 -",
        ])
      #expect(!log.entries.contains { "\($0)".contains("opensesame") })
    }
  }

  @Test("describes an image by size, format, orientation, colors and hash")
  func info() async throws {
    let byteCount = try OriginServer.quarters.count
    try await withServers { client, origin, _ in
      let answer = try await client.execute(uri: "/info?url=\(origin)/quarters.png", method: .get) { $0 }
      let missing = try await client.execute(uri: "/info?url=\(origin)/missing", method: .get) { $0 }

      let json = try #require(
        try JSONSerialization.jsonObject(with: Data(answer.body.readableBytesView)) as? [String: Any])
      #expect(answer.headers[.contentType] == "application/json")
      #expect(json["width"] as? Int == 400 && json["height"] as? Int == 200)
      #expect(json["format"] as? String == "png" && json["orientation"] as? Int == 1)
      #expect(json["byteCount"] as? Int == byteCount)
      #expect(json["hasAlpha"] as? Bool == false && json["isAnimated"] as? Bool == false)
      #expect((json["dominantColor"] as? String)?.count == 7)
      let hash = try ThumbHash(Data(base64Encoded: json["thumbHash"] as? String ?? "") ?? Data())
      #expect(abs(hash.aspectRatio - 2) < 0.4)
      #expect(missing.status == .notFound && String(buffer: missing.body) == "loading.status\n")
    }
  }

  @Test("shows the fallback image for one that is missing, at the same size, and tells the code")
  func fallback() async throws {
    let image = Data(try OriginServer.quarters)
    let header = try #require(HTTPField.Name("Thumbnail-Error"))
    for status in [nil, 200] {
      try await withServers {
        $0.fallback = Thumbnails.Fallback(image, status: status)
      } _: { client, origin, _ in
        let missing = try await client.thumbnail("url=\(origin)/missing&w=40")
        let wrong = try await client.thumbnail("url=\(origin)/missing&w=0")

        #expect(missing.status.code == status ?? 404)
        #expect(missing.headers[header] == "loading.status")
        #expect(missing.headers[.cacheControl] == "public, max-age=60")
        #expect(try ImageDecoder.decode(missing.body.readableBytesView).width == 40)
        #expect(String(buffer: wrong.body) == "query.w\n")
      }
    }
  }

  @Test("lets scripts of the allowed origin read its answers, and only then")
  func origin() async throws {
    try await withServers {
      $0.allowedOrigin = "https://shop.example"
    } _: { client, origin, _ in
      let image = try await client.thumbnail("url=\(origin)/image.png&w=10")
      let refused = try await client.thumbnail("w=10")
      #expect(image.headers[.accessControlAllowOrigin] == "https://shop.example")
      #expect(refused.headers[.accessControlAllowOrigin] == "https://shop.example")
    }
    try await withServers { client, origin, _ in
      let image = try await client.thumbnail("url=\(origin)/image.png&w=10")
      #expect(image.headers[.accessControlAllowOrigin] == nil)
    }
  }

  @Test("answers a client that asks too often with 429, and others as before")
  func rate() async throws {
    let name = try #require(HTTPField.Name("X-Forwarded-For"))
    try await withServers {
      $0.clientRate = (perSecond: 0.001, burst: 2)
      $0.isBehindProxy = true
    } _: { client, origin, _ in
      func status(_ address: String) async throws -> TestResponse {
        try await client.thumbnail("url=\(origin)/image.png&w=10", [name: "forged, \(address)"])
      }
      let answers = [
        try await status("192.0.2.1"), try await status("192.0.2.1"), try await status("192.0.2.1"),
        try await status("192.0.2.2"),
      ]

      #expect(answers.map(\.status.code) == [200, 200, 429, 200])
      #expect(String(buffer: answers[2].body) == "server.too-many-requests\n")
      #expect(answers[2].headers[.cacheControl] == "no-store")
      #expect((answers[2].headers[.retryAfter].flatMap { Int($0) } ?? 0) > 1)
    }
  }

  @Test("shows its counters to clients with the token only")
  func token() async throws {
    try await withThumbnails {
      $0.metricsToken = "opensesame"
    } _: { thumbnails, _, _ in
      try await Application(router: thumbnails.statusRouter()).test(.router) { client in
        for (token, status) in [(nil, 401), ("Bearer opensesam", 401), ("Bearer opensesame", 200)] {
          let headers: HTTPFields = token.map { [.authorization: $0] } ?? [:]
          let answer = try await client.execute(uri: "/metrics", method: .get, headers: headers) { $0 }
          #expect(answer.status.code == status)
        }
        let health = try await client.execute(uri: "/health", method: .get) { $0.status }
        #expect(health == .noContent)
      }
    }
  }

  @Test("serves images of its folder, and none of beside it")
  func folder() async throws {
    let parent = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let folder = parent.appending(path: "a folder")
    defer { try? FileManager.default.removeItem(at: parent) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let image = Data(try OriginServer.quarters)
    try image.write(to: folder.appending(path: "ü.png"))
    try image.write(to: parent.appending(path: "secret.png"))
    try FileManager.default.createSymbolicLink(
      at: folder.appending(path: "link.png"), withDestinationURL: parent.appending(path: "secret.png"))

    try await withServers {
      $0.folder = folder
    } _: { client, _, _ in
      for (url, code) in [
        ("local:///%25C3%25BC.png", "200"), ("local:///none.png", "loading.file-not-found"),
        ("local:///../secret.png", "loading.file-outside-roots"),
        ("local:///%252e%252e/secret.png", "loading.file-outside-roots"),
        ("local:///link.png", "loading.file-outside-roots"), ("local:///", "loading.file-outside-roots"),
        ("local://host/a.png", "loading.bad-url"), ("s3://bucket/a.png", "loading.unsupported-scheme"),
        ("file:///etc/passwd", "loading.unsupported-scheme"),
      ] {
        let answer = try await client.thumbnail("url=\(url)&w=10")
        let body =
          answer.status == .ok ? "200" : String(buffer: answer.body).trimmingCharacters(in: .newlines)
        #expect(body == code, "\(url)")
      }
    }
    try await withServers { client, _, _ in
      let answer = try await client.thumbnail("url=local:///a.png&w=10")
      #expect(answer.status == .forbidden)
    }
  }

  @Test("asks an object store for images of the buckets that are allowed, and signs that")
  func store() async throws {
    try await withOrigin { store, _ in
      let endpoint = try #require(URL(string: store))
      try await withServers {
        $0.store = S3Endpoint(
          url: endpoint,
          credentials: S3CredentialsSource { S3Credentials(accessKey: "reader", secretKey: "secret") })
        $0.buckets = ["bucket"]
        // The operator names the store, so it needs no other permission.
        ($0.hosts, $0.addresses) = (HostPolicy(allowing: []), .publicOnly)
      } _: { client, _, _ in
        for (url, status, code) in [
          ("s3://bucket/a%2520photo.png", 200, nil), ("s3://bucket/none.png", 404, "loading.status"),
          ("s3://secrets/a.png", 403, "loading.host-refused"), ("s3:///a.png", 400, "query.url"),
          ("\(store)/bucket/a%2520photo.png", 403, "loading.host-refused"),
        ] {
          let answer = try await client.thumbnail("url=\(url)&w=10")
          #expect(answer.status.code == status, "\(url)")
          #expect(code == nil || String(buffer: answer.body) == "\(code ?? "")\n", "\(url)")
        }
      }
    }
  }

  @Test("has a page that loads nothing from elsewhere, with a form unless URLs are signed")
  func page() async throws {
    for keys in [SigningKeys.none, try SigningKeys(keys: ["aa"], salts: ["bb"])] {
      try await withServers {
        $0.keys = keys
      } _: { client, _, _ in
        let page = try await client.execute(uri: "/", method: .get) { $0 }
        let text = String(buffer: page.body)

        #expect(page.status == .ok && page.headers[.contentType] == "text/html; charset=utf-8")
        #expect(page.headers[.contentSecurityPolicy]?.hasPrefix("default-src 'none'") == true)
        #expect(text.contains("<form") == keys.isEmpty && text.contains("openssl") == !keys.isEmpty)
        for name in OptionList.names.union(["url", "v", "expires"]) {
          #expect(text.contains("<code>\(name)</code>"), "\(name)")
        }
        for address in text.matches(of: /(?:src|href)="([^"]*)"/).map(\.output.1) {
          #expect(address == "data:," || address.hasPrefix("/") && !address.hasPrefix("//"))
        }
        for path in ["/page.css", "/page.js"] {
          let status = try await client.execute(uri: path, method: .get) { $0.status }
          #expect(status == .ok)
        }
        // A query of `URLSearchParams` has plus signs for spaces, which the server would read as plus signs.
        let script = try await client.execute(uri: "/page.js", method: .get) { String(buffer: $0.body) }
        #expect(script.contains(#"query.toString().replaceAll("+", "%20")"#))
      }
    }
  }
}

@Suite("A program of the thumbnail server", .timeLimit(.minutes(5)), .serialized)
struct ProgramTests {
  @Test("answers HTTP/1.0 without a host, and closes the connection, even if asked to keep it")
  func oldClients() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    // Longer than the client waits.
    let server = try ServerProcess(
      "--allow", "*", "--port", "0", "--status-port", "0", "--cache", directory.path, "--idle-timeout", "300")
    for field in ["", "Connection: keep-alive\r\n"] {
      let client = try RawConnection(server.address)
      client.send("GET /thumb?w=1 HTTP/1.0\r\n\(field)\r\n")

      #expect(client.status() == 400)
      #expect(client.isClosed())
    }
    server.terminate()
  }

  @Test("says at the start what isolates the decoders, also to a file")
  func isolation() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    let server = try ServerProcess(
      "--allow", "*", "--port", "0", "--status-port", "0", "--cache", directory.path)

    #expect(server.greeting.contains("Images are decoded in processes of their own."))
    server.terminate()
  }

  @Test("is configured by a file, by the environment over it, and by arguments over both")
  func configuration() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    let text =
      "# hosts\nallow a.example\nallow b.example\nmax-age 60\n\nprivate-addresses\nimgproxy false\nport 1\n"
    try Data(text.utf8).write(to: file)

    let arguments = try Settled.arguments(
      ["--port", "3"],
      [
        "THUMBNAILS_CONFIGURATION": file.path, "THUMBNAILS_PORT": "2",
        "THUMBNAILS_ALLOW": "c.example d.example",
        "PATH": "/bin",
      ])
    // The last one of an option that is no list has an effect.
    #expect(
      arguments == [
        "--allow=a.example", "--allow=b.example", "--max-age=60", "--private-addresses", "--port=1",
        "--allow=c.example", "--allow=d.example", "--port=2", "--port", "3",
      ])
    let other = try Settled.arguments(
      ["--configuration", file.path],
      ["THUMBNAILS_PRIVATE_ADDRESSES": "false", "THUMBNAILS_CACHE": "/var/my cache ", "THUMBNAILS_HOST": ""])
    // A flag of the file can be taken back, and a value that is no list is one value.
    #expect(
      other == [
        "--allow=a.example", "--allow=b.example", "--max-age=60", "--port=1", "--cache=/var/my cache",
        "--configuration", file.path,
      ])
    #expect(throws: ConfigurationError.self) { try Settled.arguments(["--configuration", "/none"], [:]) }
    #expect(throws: ConfigurationError.self) { try Settled.arguments(["--configuration=/none"], [:]) }
  }

  @Test(
    "does not start with a setting out of its range",
    arguments: [
      "client-burst=nan", "client-burst=0", "client-rate=inf", "request-limit=0", "host-limit=-1",
      "deadline=-1", "deadline=9223372036854775807", "port=65536", "status-port=-1",
      "disk-limit=8796093022208", "memory-limit=-1", "connection-limit=0", "idle-timeout=0",
      "max-age=9223372036854775807", "fallback-status=204", "fallback-status=205", "fallback-status=304",
    ])
  func ranges(_ setting: String) {
    let server = try? ServerProcess("--allow", "*", "--port=0", "--status-port=0", "--\(setting)")

    #expect(server == nil)
    server?.terminate()
  }

  @Test("starts beside services of Kubernetes whose variables begin as its own")
  func kubernetes() throws {
    let arguments = try Settled.arguments(
      [],
      [
        "THUMBNAILS_SERVICE_HOST": "10.0.0.1", "THUMBNAILS_SERVICE_PORT": "80",
        "THUMBNAILS_SERVICE_PORT_HTTP": "80", "THUMBNAILS_PORT": "tcp://10.0.0.1:80",
        "THUMBNAILS_PORT_80_TCP": "tcp://10.0.0.1:80", "THUMBNAILS_PORT_80_TCP_PROTO": "tcp",
        "THUMBNAILS_PORT_80_TCP_PORT": "80", "THUMBNAILS_PORT_80_TCP_ADDR": "10.0.0.1",
        "THUMBNAILS_STATUS_PORT": "udp://10.0.0.2:53", "THUMBNAILS_STATUS_SERVICE_HOST": "10.0.0.2",
        "THUMBNAILS_STATUS_PORT_53_UDP": "udp://10.0.0.2:53",
        "THUMBNAILS_HOST": "0.0.0.0", "THUMBNAILS_STATUS_HOST": "::",
      ])

    #expect(arguments == ["--host=0.0.0.0", "--status-host=::"])
    #expect(try Settled.arguments([], ["THUMBNAILS_PORT": "80"]) == ["--port=80"])
  }
}

@Suite("The rate of a client")
struct ClientRatesTests {
  @Test("is refilled with time up to a burst")
  func refill() {
    let rates = ClientRates(rate: 2, burst: 3)
    let start = ContinuousClock.now
    let first = (0..<4).map { _ in rates.delay(for: "a", now: start) }
    let later = (0..<3).map { _ in rates.delay(for: "a", now: start + .seconds(1)) }

    #expect(first == [nil, nil, nil, 1])
    #expect(later == [nil, nil, 1])
    #expect(rates.delay(for: "b", now: start) == nil)
  }

  @Test("may be so low that no integer counts the seconds until the next request")
  func lowest() {
    let rates = ClientRates(rate: 1e-300, burst: 1)
    let start = ContinuousClock.now

    #expect(rates.delay(for: "a", now: start) == nil)
    #expect(rates.delay(for: "a", now: start) == Int(Int32.max))
  }

  @Test("is forgotten for others than those that ask too often, before memory grows")
  func bounded() {
    let rates = ClientRates(rate: 1, burst: 1, clientLimit: 2)
    let start = ContinuousClock.now
    _ = rates.delay(for: "old", now: start)
    _ = rates.delay(for: "new", now: start + .seconds(9))
    _ = rates.delay(for: "third", now: start + .seconds(9))

    #expect(rates.delay(for: "new", now: start + .seconds(9)) == 1)
  }

  @Test(
    "is that of an IPv4 address, or of a network of IPv6, as a connection and as proxies write them",
    arguments: [
      ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:db8:0:1::5", "2001:db8:0:1::/64"),
      ("2001:db8:0:1:ffff::9", "2001:db8:0:1::/64"), ("unknown", nil), ("", nil),
      ("192.0.2.1:567", "192.0.2.1"), ("[2001:db8:0:1::5]", "2001:db8:0:1::/64"),
      ("[2001:db8:0:1::5]:567", "2001:db8:0:1::/64"), ("[::ffff:192.0.2.1]:567", "192.0.2.1"),
      ("unknown:567", nil), ("[", nil), (":", nil),
    ])
  func clients(_ address: String, _ client: String?) {
    #expect(ClientRates.client(address) == client)
  }
}
