import Foundation
import Hummingbird
import HummingbirdTesting
import StreamImages
import StreamImagesTesting
import Testing
import ThumbnailServer

@Suite("The thumbnail server under attack", .timeLimit(.minutes(5)), .serialized)
struct AttackTests {
  private func server(descriptors: Int? = nil) throws -> (ServerProcess, URL) {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let server = try ServerProcess(
      descriptors: descriptors, "--allow", "*", "--private-addresses", "--port", "0", "--status-port", "0",
      "--cache",
      directory.path)
    return (server, directory)
  }

  @Test(
    "A request whose end or host can be read in two ways is refused",
    arguments: [
      "Host: a\r\nHost: b", "Host: a\r\nTransfer-Encoding: xchunked",
      "Host: a\r\nTransfer-Encoding: chunked, identity",
      "Host: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 3",
    ])
  func framing(_ headers: String) throws {
    let (server, directory) = try server()
    defer { try? FileManager.default.removeItem(at: directory) }
    let client = try RawConnection(server.address)

    client.send(
      "GET /nothing HTTP/1.1\r\n\(headers)\r\n\r\n0\r\n\r\nGET /nothing HTTP/1.1\r\nHost: c\r\n\r\n")

    #expect(client.status() == 400)
    server.terminate()
  }

  @Test("More idle connections than descriptors do not keep others from an answer, nor a processor busy")
  func idleConnections() throws {
    raiseDescriptorLimit()
    let (server, directory) = try server(descriptors: 400)
    defer { try? FileManager.default.removeItem(at: directory) }
    let idle = try (0..<600).map { _ in try RawConnection(server.address) }
    for connection in idle.prefix(300) { connection.send("GET /thumb HTTP/1.1\r\nHost:") }
    let begin = ContinuousClock.now
    let busy = server.processorSeconds

    for _ in 0..<20 {
      let client = try RawConnection(server.address)
      client.send("GET /thumb?w=1 HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(client.status() == 400)
    }

    #expect(ContinuousClock.now - begin < .seconds(10))
    #expect(server.processorSeconds - busy < 5)
    withExtendedLifetime(idle) {}
    server.terminate()
  }

  @Test("Counters and health are not at the address of the thumbnails")
  func status() async throws {
    try await withServers { client, _, _ in
      for path in ["/metrics", "/health"] {
        let answer = try await client.execute(uri: path, method: .get) { $0.status }
        #expect(answer == .notFound)
      }
    }
  }

  @Test("A host that never answers holds a request no longer than the deadline, waiting included")
  func deadline() async throws {
    try await withServers {
      $0.deadline = .seconds(1)
      // A worker takes a while to start.
      $0.isolation = DecodingIsolation.none
    } _: { client, origin, server in
      // More than may load from one host at a time.
      let answers = try await withThrowingTaskGroup(of: String.self) { group in
        for number in 0..<40 {
          group.addTask {
            String(buffer: try await client.thumbnail("url=\(origin)/slow/\(number)&w=10").body)
          }
        }
        return try await group.reduce(into: Set<String>()) { $0.insert($1) }
      }
      let good = try await client.thumbnail("url=\(origin)/image.png&w=10")
      server.slow.open()

      #expect(answers == ["server.late\n"])
      #expect(good.status == .ok)
    }
  }

  @Test("A fallback image that cannot be made in time is left out")
  func fallbackDeadline() async throws {
    let image = Data(try OriginServer.quarters)
    try await withThumbnails {
      $0.fallback = Thumbnails.Fallback(image)
      $0.deadline = .seconds(2)
      $0.isolation = DecodingIsolation.none
    } _: { thumbnails, origin, _ in
      thumbnails.pipeline.suspend(.encoding)
      try await Application(router: thumbnails.router()).test(.router) { client in
        let missing = try await client.thumbnail("url=\(origin)/missing&w=40")

        #expect(missing.status == .notFound && String(buffer: missing.body) == "loading.status\n")
      }
      thumbnails.pipeline.resume(.encoding)
    }
  }

  @Test("Requests for a slow host leave room for other hosts")
  func hostLimit() async throws {
    try await withServers {
      $0.hostLimit = 2
    } _: { client, origin, server in
      async let first = client.thumbnail("url=\(origin)/slow/1&w=10").status
      async let second = client.thumbnail("url=\(origin)/slow/2&w=10").status
      await server.waitForSlow(2)
      let third = try await client.thumbnail("url=\(origin)/image.png&w=10")
      try await withOrigin { other, _ in
        let answer = try await client.thumbnail("url=\(other)/image.png&w=10")
        #expect(answer.status == .ok)
      }
      server.slow.open()

      #expect(third.status == .serviceUnavailable && String(buffer: third.body) == "server.host-busy\n")
      let statuses = try await [first, second]
      let later = try await client.thumbnail("url=\(origin)/image.png&w=10")
      #expect(statuses == [.ok, .ok] && later.status == .ok)
    }
  }

  @Test(
    "A host has one share of the requests, whichever way its URLs are written, and another port has another",
    arguments: [
      ("http://h/a", true), ("http://h:80/", true), ("https://h/?b", true), ("https://h:443/", true),
      ("http://h./", true), ("HTTP://H.:80/", true), ("http://user@%68/", true), ("http://h:8080/", false),
      ("http://g/", false), ("http://a.h/", false),
    ])
  func hosts(_ url: String, _ isTheSame: Bool) throws {
    let host = try #require(URL(string: "http://h/"))
    let other = try #require(URL(string: url))

    #expect((HostShares.host(of: other) == HostShares.host(of: host)) == isTheSame)
  }

  @Test("A name of a private address gets the same answer as one that does not exist")
  func names() async throws {
    try await withServers {
      ($0.hosts, $0.addresses) = (.any, .publicOnly)
    } _: { client, origin, _ in
      let exists = try await client.thumbnail("url=\(origin)/image.png&w=10")
      let missing = try await client.thumbnail("url=http://no-such-host.invalid/image.png&w=10")

      #expect(exists.status == missing.status && exists.body == missing.body)
      #expect(exists.headers == missing.headers)
      #expect(String(buffer: exists.body) == "server.no-public-address\n")
    }
  }

  @Test("A connection that answers a request is not closed for a new one")
  func busyConnections() async throws {
    try await withOrigin { origin, server in
      let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      defer { try? FileManager.default.removeItem(at: directory) }
      let running = try ServerProcess(
        "--allow", "localhost:*", "--private-addresses", "--port", "0", "--status-port", "0",
        "--connection-limit", "2",
        "--cache", directory.path)
      let busy = try RawConnection(running.address)
      busy.send("GET /thumb?w=10&url=\(origin)/slow/1 HTTP/1.1\r\nHost: a\r\n\r\n")
      await server.waitForSlow(1)

      var others: [RawConnection] = []
      for _ in 0..<5 {
        let other = try RawConnection(running.address)
        other.send("GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(other.status() == 404)
        others.append(other)
      }

      #expect(others.dropLast().allSatisfy { $0.isClosed() })
      server.slow.open()
      #expect(busy.status() == 200)
      running.terminate()
    }
  }
}
