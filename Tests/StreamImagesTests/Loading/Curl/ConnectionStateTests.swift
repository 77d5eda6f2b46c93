import Foundation
import LoopbackServer
import StreamImages
import Testing

/// The states of a connection by RFC 9112: what a response leaves behind, and what the next request may use.
struct ConnectionState: CustomTestStringConvertible, Sendable {
  enum After: Sendable {
    case stays, closes, halfCloses
    case sends(String)
  }

  let testDescription: String
  let method: DataRequest.Method
  let response: String
  let after: After
  /// `nil` if the response is not whole.
  let body: String?
  /// Whether the next request is sent on the same connection; `nil` if either is right.
  let isKept: Bool?
  /// Whether the response is sent before the body of the request is read, which is larger than all buffers.
  let isEarly: Bool

  private init(
    _ name: String, _ response: String, _ after: After = .stays, body: String? = "body", isKept: Bool?,
    method: DataRequest.Method = .get, isEarly: Bool = false
  ) {
    self.isEarly = isEarly
    (testDescription, self.response, self.after) = (name, response, after)
    (self.body, self.isKept, self.method) = (body, isKept, method)
  }

  /// Whether the server does something after a whole response, which the client has to notice before the next request.
  var isNoticedLater: Bool {
    if case .stays = after {
      false
    } else {
      isKept == false && body != nil && response.contains("Content-Length")
    }
  }

  private static let whole = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody"
  private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

  static let all: [ConnectionState] = [
    .init("length", whole, isKept: true),
    .init("POST", whole, isKept: true, method: .post),
    .init("chunks", chunked + "2\r\nbo\r\n2;a=b\r\ndy\r\n0\r\n\r\n", isKept: true),
    .init("trailers", chunked + "4\r\nbody\r\n0\r\nX-Sum: 1\r\nX-More: 2\r\n\r\n", isKept: true),
    .init(
      "informational heads",
      "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n" + whole, isKept: true),
    .init("no content", "HTTP/1.1 204 No Content\r\n\r\n", body: "", isKept: true),
    .init("not modified", "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", body: "", isKept: true),
    .init("HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", body: "", isKept: true, method: .head),
    .init(
      "1.0 kept", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 4\r\n\r\nbody", isKept: true),
    .init("early", whole, isKept: nil, method: .put, isEarly: true),
    .init(
      "early error", "HTTP/1.1 413 Content Too Large\r\nContent-Length: 4\r\n\r\nbody", isKept: false,
      method: .post, isEarly: true),
    .init(
      "early error, closed",
      "HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 4\r\n\r\nbody", .closes,
      isKept: false, method: .put, isEarly: true),
    .init("1.0", "HTTP/1.0 200 OK\r\nContent-Length: 4\r\n\r\nbody", isKept: false),
    .init("close", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 4\r\n\r\nbody", isKept: false),
    .init("until the end", "HTTP/1.1 200 OK\r\n\r\nbody", .closes, isKept: false),
    .init("closed later", whole, .closes, isKept: false),
    .init("half-closed", whole, .halfCloses, isKept: false),
    .init("late bytes", whole, .sends("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong"), isKept: false),
    .init("late end", whole, .sends("\r\n"), isKept: false),
    .init("two responses", whole + "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong", isKept: nil),
    .init(
      "a body without a place", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\nwrong", body: "",
      isKept: nil),
    .init("cut", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbody", .closes, body: nil, isKept: false),
    .init("cut chunks", chunked + "9\r\nbody", .closes, body: nil, isKept: false),
    .init(
      "cut by half", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbody", .halfCloses, body: nil, isKept: false
    ),
    .init("no head", "HTTP/1.1 200 OK\r\nContent-Le", .closes, body: nil, isKept: false),
    .init(
      "two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nbody", body: nil,
      isKept: false),
  ]

  /// Loads states one after the other by a loader, and checks each body, and on which connection each request was sent.
  ///
  /// - Parameter port: The port that the client is connected to.
  static func check(
    _ states: [ConnectionState], _ server: LoopbackServer, _ loader: CurlLoader, at base: URL, port: UInt16
  ) async throws {
    var connection = 0
    for (index, state) in states.enumerated() {
      let gate = try Gate()
      let ending: Reply.Ending
      switch state.after {
      case .stays: ending = .stays
      case .closes: ending = .closes
      case .halfCloses: ending = .halfCloses
      case .sends(let bytes): ending = .sends(bytes, gate)
      }
      server.serve("/\(index)", .exact(state.response, then: ending))
      var request = DataRequest(url: base.appending(path: "\(index)"), method: state.method)
      request.acceptedStatuses = [200, 204, 304, 413]
      if state.isEarly {
        (request.headers["X-Early"], request.body) = ("1", Data(count: 32 << 20))
      }

      var body: String?
      do { body = String(decoding: try await loader.data(for: request).body, as: UTF8.self) } catch {}
      gate.open()
      let answered = await server.event {
        if case .answered(let request, _, _) = $0 { request.path == "/\(index)" } else { false }
      }
      if case .closes = state.after, case .answered(let request, _, _)? = answered {
        _ = await server.event {
          if case .closed(let number, _) = $0 { number == request.connection } else { false }
        }
      }
      if state.isNoticedLater, case .sends = state.after {
        await until { (try? Descriptors.unreadBytes(from: port)) ?? 0 > 0 }
      }

      #expect(body == state.body, "\(state)")
      let requests = server.requests
      guard requests.count == index + 1, let last = requests.last else {
        Issue.record("\(requests.count) requests after \(index + 1) loads: \(state)")
        return
      }
      let before = index == 0 ? false : states[index - 1].isKept
      if let before {
        #expect((last.connection == connection) == before, "\(states[max(0, index - 1)]), \(state)")
      }
      connection = last.connection
    }
  }

  /// Each state after each other one would be hundreds of connections, so some orders are drawn.
  static func drawn(_ seed: UInt64, from states: [ConnectionState] = all) -> [ConnectionState] {
    var random = Generator(seed: seed)
    return states.shuffled(using: &random) + states.shuffled(using: &random)
  }
}

@Suite("Connection states", .timeLimit(.minutes(5))) struct ConnectionStateTests {
  @Test(
    "Each response is whole, and the next request uses the connection only where it may", arguments: 0..<12)
  func plain(seed: UInt64) async throws {
    try await withLoopback { server, loader in
      try await ConnectionState.check(
        ConnectionState.drawn(seed), server, loader, at: server.url("/"), port: server.port)
    }
  }
}

@Suite(
  "Nginx: connection states", .enabled(if: Nginx.environment["NGINX_TLS"] != nil), .serialized,
  .timeLimit(.minutes(5)))
struct NginxConnectionStateTests {
  private let base = Nginx.environment["NGINX_TLS"] ?? ""

  private func withServer(_ test: (LoopbackServer, UInt16) async throws -> Void) async throws {
    let secure = UInt16(try #require(URL(string: base)?.port))
    let server = try LoopbackServer(at: try #require(UInt16(Nginx.environment["NGINX_TLS_PORT"] ?? "")))
    defer { server.stop() }
    try await RealTime.run { try await test(server, secure) }
  }

  /// A server behind nginx that closes is noticed later than its event says, so those states are left out.
  @Test("Over TLS, each response is whole, and the next request uses the connection only where it may")
  func secure() async throws {
    try await withServer { server, port in
      let states = ConnectionState.all.filter {
        if case .sends = $0.after { return true }
        return !$0.isNoticedLater
      }
      let loader = Way.http2.loader()
      defer { loader.invalidate() }
      try await ConnectionState.check(
        ConnectionState.drawn(1, from: states), server, loader, at: try #require(URL(string: base + "/")),
        port: port)
    }
  }

  @Test("Over TLS, a connection with something unread is not used again, wherever it waits")
  func unread() async throws {
    func load(_ path: String, _ method: DataRequest.Method, _ loader: CurlLoader) async throws -> String {
      var request = DataRequest(url: try #require(URL(string: base + path)), method: method)
      request.acceptedStatuses = [200, 204, 304]
      return String(decoding: try await loader.data(for: request).body, as: UTF8.self)
    }
    try await withServer { server, port in
      server.serve("/second", .bytes(Data("second".utf8)))
      for (bytes, isLate) in UnrequestedBytesTests.bytes.flatMap({ [($0, false), ($0, true)] }) {
        for first in UnrequestedBytesTests.Response.all {
          let gate = try Gate()
          server.serve(
            "/first", isLate ? .exact(first.text, then: .sends(bytes, gate)) : .exact(first.text + bytes))
          let loader = Way.http2.loader()
          _ = try await load("/first", first.method, loader)
          gate.open()
          if isLate { await until { (try? Descriptors.unreadBytes(from: port)) ?? 0 > 0 } }

          for method in [.get, .post, .get] as [DataRequest.Method] {
            #expect(try await load("/second", method, loader) == "second", "\(first) \(bytes) \(isLate)")
          }
          loader.invalidate()
        }
      }
    }
  }
}
