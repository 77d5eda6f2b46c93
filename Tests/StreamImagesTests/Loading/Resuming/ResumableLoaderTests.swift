import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite("`ResumableLoader`", .timeLimit(.minutes(20)))
struct ResumableLoaderTests {
  /// A body that can be resumed, and breaks off after so many bytes.
  private static func reply(_ body: Data, tag: String? = "\"1\"", breaking: Int? = nil) -> Reply {
    Reply(body: body).with {
      ($0.entityTag, $0.acceptsRanges) = (tag, true)
      if let breaking { $0.fault = .close(afterBodyBytes: breaking) }
    }
  }

  /// Loads once, and expects it to break off.
  private func breakOff(_ loader: ResumableLoader, _ request: DataRequest) async {
    let error = await failure { () throws(DataLoadingError) in try await loader.data(for: request) }
    #expect(error != nil)
  }

  private func ranges(_ server: LoopbackServer) -> [String?] { server.requests.map { $0[header: "Range"] } }

  @Test("A body interrupted twice is resumed twice and arrives complete")
  func twice() async throws {
    try await withLoopback { server, network async throws in
      let body = pattern(100_000)
      // 40,000 bytes, then 35,000 of the 60,000 that are left, then the rest.
      server.serve(
        "/a",
        inTurn: [
          Self.reply(body, breaking: 40_000), Self.reply(body, breaking: 35_000), Self.reply(body),
        ])
      let loader = ResumableLoader(network)
      let request = DataRequest(url: server.url("/a"))

      await breakOff(loader, request)
      #expect(loader.keptByteCount == 40_000)
      await breakOff(loader, request)
      #expect(loader.keptByteCount == 75_000)
      let (head, whole) = try await loader.data(for: request)

      #expect(whole == body)
      #expect(head.status == 200)
      #expect(head.partial == nil)
      #expect(head.expectedByteCount == 100_000)
      #expect(head.resumedByteCount == 75_000)
      #expect(ranges(server) == [nil, "bytes=40000-", "bytes=75000-"])
      #expect(server.requests.map { $0[header: "If-Range"] } == [nil, "\"1\"", "\"1\""])
      #expect(loader.keptByteCount == 0)
    }
  }

  @Test(
    "Bytes received before a cancellation or release are resumed",
    arguments: [true, false])
  func cancelled(_ letsGo: Bool) async throws {
    try await withLoopback { server, network async throws in
      let gate = try Gate()
      let body = pattern(50_000)
      server.serve(
        "/a",
        inTurn: [
          Self.reply(body).with { $0.bodyGate = (20_000, gate) }, Self.reply(body),
        ])
      let loader = ResumableLoader(network)
      let request = DataRequest(url: server.url("/a"))
      do {
        let loaded = try await loader.load(request)
        var count = 0
        while count < 20_000, let chunk = try await loaded.body.next() { count += chunk.count }
        if !letsGo { loaded.body.cancel() }
      }

      let (head, whole) = try await loader.data(for: request)

      #expect(whole == body)
      #expect(head.resumedByteCount == 20_000)
      gate.open()
    }
  }

  @Test(
    "A part of another version is discarded and the body is loaded again")
  func changed() async throws {
    let body = pattern(50_000)
    let other = pattern(50_000, seed: 7)
    let lies: [String: Reply] = [
      "shifted": Self.reply(body).with { $0.fault = .shiftRange(by: 100) },
      "other tag": Self.raw("bytes 20000-49999/50000", "\"2\"", other[20_000...]),
      "weak tag": Self.raw("bytes 20000-49999/50000", "W/\"1\"", other[20_000...]),
      "other total": Self.raw("bytes 20000-49999/60000", "\"1\"", other[20_000...]),
      "not to the end": Self.raw("bytes 20000-39999/50000", "\"1\"", other[20_000..<40_000]),
      "no range": Self.raw(nil, "\"1\"", other[20_000...]),
      "compressed": Self.raw(
        "bytes 20000-49999/50000", "\"1\"", other[20_000...], "Content-Encoding: gzip\r\n"),
    ]
    for (name, lie) in lies {
      try await withLoopback { server, network async throws in
        server.serve(
          "/a", inTurn: [Self.reply(body, breaking: 20_000), lie, Self.reply(other, tag: "\"2\"")])
        let loader = ResumableLoader(network)
        let request = DataRequest(url: server.url("/a"))
        await breakOff(loader, request)

        let (head, whole) = try await loader.data(for: request)

        #expect(whole == other, "\(name)")
        #expect(head.resumedByteCount == 0, "\(name)")
        #expect(ranges(server) == [nil, "bytes=20000-", nil], "\(name)")
      }
    }
  }

  /// A 206 that says what it likes.
  private static func raw(_ range: String?, _ tag: String, _ body: Data, _ more: String = "") -> Reply {
    let range = range.map { "Content-Range: \($0)\r\n" } ?? ""
    let head =
      "HTTP/1.1 206 Partial Content\r\nETag: \(tag)\r\n\(range)\(more)Content-Length: \(body.count)\r\n"
      + "Connection: close\r\n\r\n"
    return .failing(.rawHead(head), body: Data(body))
  }

  @Test("A changed body arrives complete and contains no old bytes")
  func replaced() async throws {
    try await withLoopback { server, network async throws in
      let new = pattern(60_000, seed: 3)
      server.serve(
        "/a", inTurn: [Self.reply(pattern(50_000), breaking: 20_000), Self.reply(new, tag: "\"2\"")])
      let loader = ResumableLoader(network)
      await breakOff(loader, DataRequest(url: server.url("/a")))

      let (head, whole) = try await loader.data(for: DataRequest(url: server.url("/a")))

      #expect(whole == new)
      #expect(head.resumedByteCount == 0)
      #expect(server.requests.count == 2)
    }
  }

  @Test(
    "Removing one or all requests drops their partial bodies, also in the loader below",
    arguments: [true, false])
  func forgotten(_ all: Bool) async throws {
    try await withLoopback { server, network async throws in
      server.serve("*", Self.reply(pattern(1_000), breaking: 500))
      let below = ResumableLoader(network)
      let loader = ResumableLoader(below)
      let (one, other) = (DataRequest(url: server.url("/a")), DataRequest(url: server.url("/b")))
      await breakOff(loader, one)
      await breakOff(loader, other)
      #expect((loader.keptByteCount, below.keptByteCount) == (1_000, 1_000))

      if all { await loader.forgetAll() } else { await loader.forget(one) }

      let kept = all ? 0 : 500
      #expect((loader.keptByteCount, below.keptByteCount) == (kept, kept))
    }
  }

  @Test("A load in flight during a removal keeps no partial body", arguments: [true, false])
  func forgottenInFlight(_ all: Bool) async throws {
    try await withLoopback { server, network async throws in
      let gate = try Gate()
      let body = pattern(50_000)
      server.serve("/a", inTurn: [Self.reply(body).with { $0.bodyGate = (20_000, gate) }, Self.reply(body)])
      let loader = ResumableLoader(network)
      let request = DataRequest(url: server.url("/a"))
      let loaded = try await loader.load(request)
      var count = 0
      while count < 20_000, let chunk = try await loaded.body.next() { count += chunk.count }

      if all { await loader.forgetAll() } else { await loader.forget(request) }
      loaded.body.cancel()

      #expect(loader.keptByteCount == 0)
      #expect(try await loader.data(for: request).head.resumedByteCount == 0)
      gate.open()
    }
  }

  @Test("Only a strong validator allows a body to be resumed")
  func weak() async throws {
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    func dated(_ changed: Date) -> Reply {
      Self.reply(pattern(1_000), tag: nil, breaking: 500).with {
        $0.lastModified = changed
        $0.headers = [("Date", HTTPTime.text(1_800_000_000))]
      }
    }
    let replies: [(Reply, Int)] = [
      (Self.reply(pattern(1_000), tag: "W/\"1\"", breaking: 500), 0),
      (Self.reply(pattern(1_000), tag: "1", breaking: 500), 0),
      (Self.reply(pattern(1_000), tag: nil, breaking: 500), 0), (dated(now), 0), (dated(now - 1), 500),
      (dated(now).with { $0.entityTag = "\"1\"" }, 500),
    ]
    for (reply, kept) in replies {
      try await withLoopback { server, network async throws in
        server.serve("/a", reply)
        let loader = ResumableLoader(network)

        await breakOff(loader, DataRequest(url: server.url("/a")))

        #expect(loader.keptByteCount == kept)
      }
    }
  }

  @Test("Requests with different URLs, headers or credentials share no partial body")
  func apart() async throws {
    try await withLoopback { server, network async throws in
      server.serve("*", inTurn: [Self.reply(pattern(1_000), breaking: 500), Self.reply(pattern(1_000))])
      let loader = ResumableLoader(network)
      await breakOff(loader, DataRequest(url: server.url("/a?token=1")))

      for request in [
        DataRequest(url: server.url("/b")), DataRequest(url: server.url("/a?token=2")),
        DataRequest(url: server.url("/a?token=1"), headers: ["Accept": "image/png"]),
        DataRequest(url: server.url("/a?token=1"), headers: ["Authorization": "A"]),
      ] { #expect(try await loader.data(for: request).head.resumedByteCount == 0) }

      #expect(loader.keptByteCount == 500)
      let same = DataRequest(url: server.url("/a?token=1"))
      #expect(try await loader.data(for: same).head.resumedByteCount == 500)
    }
  }

  @Test("A 416 response causes one complete load without a range")
  func unsatisfiable() async throws {
    try await withLoopback { server, network async throws in
      let new = pattern(100, seed: 3)
      server.serve("/a", inTurn: [Self.reply(pattern(1_000), breaking: 500), .status(416), Self.reply(new)])
      let loader = ResumableLoader(network)
      let request = DataRequest(url: server.url("/a"))
      await breakOff(loader, request)

      #expect(try await loader.data(for: request).body == new)
      #expect(try await loader.data(for: request).body == new)

      #expect(ranges(server) == [nil, "bytes=500-", nil, nil])
    }
  }

  @Test("A body of unknown length is resumed")
  func chunked() async throws {
    try await withLoopback { server, network async throws in
      let body = pattern(50_000)
      server.serve(
        "/a",
        inTurn: [
          Self.reply(body, breaking: 20_000).with { $0.framing = .chunked(5_000) }, Self.reply(body),
        ])
      let loader = ResumableLoader(network)
      let request = DataRequest(url: server.url("/a"))
      await breakOff(loader, request)

      let (head, whole) = try await loader.data(for: request)

      #expect(whole == body)
      #expect(head.resumedByteCount == 20_000)
    }
  }

  @Test("A complete body of unknown length leaves no partial body behind")
  func chunkedWhole() async throws {
    try await withLoopback { server, network async throws in
      let body = pattern(50_000)
      server.serve("/a", Self.reply(body).with { $0.framing = .chunked(5_000) })
      let loader = ResumableLoader(network)

      for _ in 0..<2 {
        #expect(try await loader.data(for: DataRequest(url: server.url("/a"))).body == body)
        #expect(loader.keptByteCount == 0)
      }
      #expect(ranges(server) == [nil, nil])
    }
  }

  @Test("Compressed bodies and servers without ranges leave no partial body behind")
  func unsuited() async throws {
    try await withLoopback { server, network async throws in
      let coded = try Reply.gzipped(Gzip.packed(noise(100_000))).with {
        ($0.acceptsRanges, $0.entityTag, $0.fault) = (true, "\"1\"", .close(afterBodyBytes: 50_000))
      }
      server.serve("/coded", coded)
      server.serve("/rangeless", Self.reply(pattern(1_000), breaking: 500).with { $0.acceptsRanges = false })
      let loader = ResumableLoader(network)
      for allows in [true, false] {
        var request = DataRequest(url: server.url("/coded"))
        request.allowsContentCoding = allows
        await breakOff(loader, request)
      }
      await breakOff(loader, DataRequest(url: server.url("/rangeless")))

      #expect(loader.keptByteCount == 0)
    }
  }

  @Test("A partial body survives a missing response and is dropped after a 404")
  func noAnswer() async throws {
    try await withLoopback { server, network async throws in
      let body = pattern(1_000)
      server.serve(
        "/a",
        inTurn: [
          Self.reply(body, breaking: 500), .failing(.closeBeforeHead), .status(503),
          Self.reply(body, breaking: 300),
          .status(404), Self.reply(body),
        ])
      let loader = ResumableLoader(network)
      let request = DataRequest(url: server.url("/a"))

      for kept in [500, 500, 500, 800, 0] {
        await breakOff(loader, request)
        #expect(loader.keptByteCount == kept)
      }
      #expect(try await loader.data(for: request).body == body)
    }
  }

  @Test("Partial bodies are limited in total size, age, and size of the complete body")
  func limits() async throws {
    try await withLoopback { server, network async throws in
      let (start, elapsed) = (ContinuousClock.now, Shared(Duration.zero))
      let loader = ResumableLoader(network, byteLimit: 4_000, lifetime: .seconds(60)) {
        start.advanced(by: elapsed.value)
      }
      server.serve("/large", Self.reply(pattern(2_000), breaking: 1_001))
      server.serve("*") { _ in Self.reply(pattern(2_000), breaking: 1_000) }

      await breakOff(loader, DataRequest(url: server.url("/large")))
      #expect(loader.keptByteCount == 0)
      for path in ["/1", "/2", "/3", "/4", "/5"] {
        await breakOff(loader, DataRequest(url: server.url(path)))
      }
      #expect(loader.keptByteCount == 4_000)

      elapsed.change { $0 = .seconds(60) }
      server.serve("/5", Self.reply(pattern(2_000)))
      #expect(try await loader.data(for: DataRequest(url: server.url("/5"))).head.resumedByteCount == 0)
    }
  }

  @Test("The size limit counts resumed and new bytes together, and a known size fails early")
  func bodyLimit() async throws {
    try await withLoopback { server, network async throws in
      let body = pattern(10_000)
      server.serve(
        "/a",
        inTurn: [
          Self.reply(body, breaking: 5_000).with { $0.framing = .chunked(1_000) },
          Self.raw("bytes 5000-9999/10000", "\"1\"", body[5_000...]),
        ])
      server.serve("/b", inTurn: [Self.reply(body, breaking: 5_000), Self.reply(body)])
      let loader = ResumableLoader(network)
      var limits = LoadLimits()
      limits.maximumByteCount = 9_999
      for path in ["/a", "/b"] { await breakOff(loader, DataRequest(url: server.url(path))) }
      func error(_ path: String) async -> DataLoadingError? {
        await failure { [limits] () throws(DataLoadingError) in
          try await loader.data(for: DataRequest(url: server.url(path)), limits: limits)
        }
      }

      let (unknown, known) = (await error("/a"), await error("/b"))

      #expect(unknown == .tooLarge(limit: 9_999, announced: nil))
      #expect(known == .tooLarge(limit: 9_999, announced: 10_000))
      #expect(ranges(server) == [nil, nil, "bytes=5000-"])
    }
  }

  @Test("One of two concurrent loads resumes, and both receive the complete body")
  func together() async throws {
    try await withLoopback { server, network async throws in
      let body = pattern(100_000)
      server.serve("/a", inTurn: [Self.reply(body, breaking: 40_000), Self.reply(body)])
      let loader = ResumableLoader(network)
      let request = DataRequest(url: server.url("/a"))
      await breakOff(loader, request)

      async let one = loader.data(for: request)
      async let other = loader.data(for: request)
      let both = try await [one, other]

      #expect(both.allSatisfy { $0.body == body })
      #expect(both.map(\.head.resumedByteCount).sorted() == [0, 40_000])
    }
  }
}
