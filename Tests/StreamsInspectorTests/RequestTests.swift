import Foundation
import LoopbackSockets
import Streams
import StreamsExtras
import StreamsInspector
import Testing

/// In processes of their own, since an inspector sees the subscriptions of all tests.
@Suite("Requests to the inspector")
struct RequestTests {
  @Test("Hostile requests get 400 or 403, and the program and the page go on")
  func hostile() async {
    await #expect(processExitsWith: .success) {
      let inspector = try StreamInspector.start()
      let (subject, path) = (PassthroughSubject<Int, Never>(), "/\(inspector.token)/")
      var sum = 0
      let sink = subject.sink(receiveValue: { sum += $0 }, isolation: nil)
      let host = "Host: 127.0.0.1:\(inspector.port)"
      let other = String(inspector.token.reversed())
      let requests: [(Int, String)] = [
        (403, "GET / HTTP/1.1\r\n\(host)\r\n\r\n"),
        (403, "GET /\(other)/ HTTP/1.1\r\n\(host)\r\n\r\n"),
        (403, "GET /\(inspector.token) HTTP/1.1\r\n\(host)\r\n\r\n"),
        (403, "GET /\(inspector.token.dropLast())/ HTTP/1.1\r\n\(host)\r\n\r\n"),
        (403, "GET /x\(path) HTTP/1.1\r\n\(host)\r\n\r\n"),
        (403, "POST \(path) HTTP/1.1\r\n\(host)\r\nContent-Length: 0\r\n\r\n"),
        (403, "HEAD \(path) HTTP/1.1\r\n\(host)\r\n\r\n"),
        (403, "OPTIONS \(path) HTTP/1.1\r\n\(host)\r\n\r\n"),
        (403, "GET \(path) HTTP/1.1\r\nHost: evil.example\r\n\r\n"),
        (403, "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"),
        (403, "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(inspector.port).evil.example\r\n\r\n"),
        (403, "GET \(path) HTTP/1.1\r\n\(host)\r\nOrigin: http://evil.example\r\n\r\n"),
        (403, "GET \(path) HTTP/1.1\r\n\(host)\r\nOrigin: null\r\n\r\n"),
        (400, "GET \(path) HTTP/1.1\r\n\r\n"),
        (400, "GET \(path) HTTP/1.1\r\n\(host)\r\n\(host)\r\n\r\n"),
        (400, "GET \(path) HTTP/1.0\r\n\(host)\r\n\r\n"),
        (400, "GET  \(path) HTTP/1.1\r\n\(host)\r\n\r\n"),
        (400, "GET http://127.0.0.1:\(inspector.port)\(path) HTTP/1.1\r\n\(host)\r\n\r\n"),
        (400, "GET \(path) HTTP/1.1\r\n\(host)\r\nX y: 1\r\n\r\n"),
        (400, "GET \(path) HTTP/1.1\r\n\(host)\r\nno colon\r\n\r\n"),
        (400, "GET \(path) HTTP/1.1\r\n\(host)\r\nX: a\nOrigin: b\r\n\r\n"),
        (400, "GET \(path) HTTP/1.1\r\n\(host)\r\nX: \u{0}\r\n\r\n"),
        (400, "GET \(path)ü HTTP/1.1\r\n\(host)\r\n\r\n"),
        (400, "GET \(path) HTTP/1.1\r\n\(host)\r\n\r\nx"),
        (400, "GET \(path) HTTP/1.1\r\n\(host)\r\nContent-Length: 1\r\n\r\nx"),
        (400, "GET \(path) HTTP/1.1\r\n\(host)\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        (400, "GET \(path) HTTP/1.1\r\n\(host)\r\n\r\nGET \(path) HTTP/1.1\r\n\(host)\r\n\r\n"),
        (400, "GET \(path)?\(String(repeating: "a", count: 9_000)) HTTP/1.1\r\n\(host)\r\n\r\n"),
        (400, "\(String(repeating: "A", count: 9_000))"),
        (400, "\r\n\r\n"),
        (400, "GET \(path)live.json?order=up HTTP/1.1\r\n\(host)\r\n\r\n"),
        (400, "GET \(path)live.json?rows=0 HTTP/1.1\r\n\(host)\r\n\r\n"),
        (400, "GET \(path)live.json?rows=1000000 HTTP/1.1\r\n\(host)\r\n\r\n"),
        (400, "GET \(path)live.json?find=%F0%28 HTTP/1.1\r\n\(host)\r\n\r\n"),
        (400, "GET \(path)live.json?find=%+1 HTTP/1.1\r\n\(host)\r\n\r\n"),
        (400, "GET \(path)live.json?find=a&find=b HTTP/1.1\r\n\(host)\r\n\r\n"),
        (400, "GET \(path)events.json HTTP/1.1\r\n\(host)\r\n\r\n"),
        (400, "GET \(path)events.json?id=99999999999999999999 HTTP/1.1\r\n\(host)\r\n\r\n"),
        (404, "GET \(path)../secrets HTTP/1.1\r\n\(host)\r\n\r\n"),
      ]
      for (status, request) in requests {
        subject.send(1)
        let response = Visitor.ask(inspector.port, Array(request.utf8))
        precondition(response.status == status, "\(request.debugDescription): \(response)")
        precondition(response.body.utf8.count < 20)
      }

      precondition(sum == requests.count)
      try check(inspector.list().rows.map(\.values) == [requests.count])
      for name in ["127.0.0.1", "localhost"] {
        let own = "Host: \(name):\(inspector.port)\r\nOrigin: http://\(name):\(inspector.port)"
        let page = Visitor.ask(inspector.port, Array("GET \(path) HTTP/1.1\r\n\(own)\r\n\r\n".utf8))
        precondition(page.status == 200 && page.body.hasPrefix("<!doctype html>"))
      }
      sink.cancel()
    }
  }

  @Test(
    "At the port of HTTP, the page is served with and without the port", .enabled(if: RequestTests.hasPort))
  func usualPort() async {
    await #expect(processExitsWith: .success) {
      let inspector = try StreamInspector.start(port: 80)
      for (host, status) in [
        ("127.0.0.1", 200), ("localhost", 200), ("127.0.0.1:80", 200), ("127.0.0.1:8080", 403),
        ("evil.example", 403), ("", 403),
      ] {
        let own = "Host: \(host)\r\nOrigin: http://\(host)"
        let page = Visitor.ask(80, Array("GET /\(inspector.token)/ HTTP/1.1\r\n\(own)\r\n\r\n".utf8))
        precondition(page.status == status, "\(host): \(page.status)")
      }
    }
  }

  /// Only some users may listen there.
  private static let hasPort = (try? Socket.bound(to: 80)) != nil

  @Test("Visitors that send nothing, or half of a request, hold up nobody")
  func slowness() async {
    await #expect(processExitsWith: .success) {
      let inspector = try StreamInspector.start()
      let silent = try (0..<100).map { _ in try Visitor(inspector.port) }
      for visitor in silent.prefix(50) { visitor.send(Array("GET /".utf8)) }

      // They are sent away after five seconds each.
      let duration = try ContinuousClock().measure { _ = try inspector.list() }

      precondition(duration < .seconds(60), "\(duration)")
      withExtendedLifetime(silent) {}
    }
  }

  @Test("A page may run its own script only, and be neither framed nor stored")
  func headers() async {
    await #expect(processExitsWith: .success) {
      let inspector = try StreamInspector.start()
      let visitor = try Visitor(inspector.port)
      visitor.send(
        Array("GET /\(inspector.token)/ HTTP/1.1\r\nHost: 127.0.0.1:\(inspector.port)\r\n\r\n".utf8))
      let text = String(decoding: visitor.receive(), as: UTF8.self)

      let nonce = text.firstMatch(of: /script-src 'nonce-([0-9a-f]{32})'/).map { String($0.1) }
      precondition(text.contains("<script nonce=\"\(nonce ?? "none")\">"))
      precondition(!Visitor.ask(inspector, "").body.contains(nonce ?? "script"))
      precondition(text.contains("frame-ancestors 'none'") && text.contains("Cache-Control: no-store"))
      precondition(!text.contains("src=\"http") && !text.contains("href=\"http") && !text.contains("NONCE"))
    }
  }
}
