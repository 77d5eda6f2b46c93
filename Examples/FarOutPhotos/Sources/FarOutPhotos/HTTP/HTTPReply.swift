import Foundation
import StreamImages

/// What is answered.
struct HTTPReply: Sendable {
  enum Body: Sendable {
    case bytes(Data)
    /// Read piece by piece while it is sent.
    case file(URL, byteCount: Int)
    /// Server-sent events, until the client leaves. Of those that it is too slow for, the last is sent.
    case events(@Sendable () -> AnyPublisher<String, Never>)
  }

  var status = 200
  var type: String
  var body: Body
  /// Strong, with its quotes: the same tag means the same bytes.
  var tag: String?
  /// `Cache-Control`.
  var caching = "no-store"
  /// How many bytes are sent in a second; `nil` for as many as the client takes.
  var pace: Int?

  /// A line of text, for people.
  static func text(_ status: Int, _ text: String) -> HTTPReply {
    HTTPReply(status: status, type: "text/plain; charset=utf-8", body: .bytes(Data("\(text)\n".utf8)))
  }

  /// The same, or 304 if the client has it already.
  func fitted(to request: HTTPRequest) -> HTTPReply {
    guard status == 200, let tag, request.knows(tag) else { return self }
    var reply = self
    reply.status = 304
    reply.body = .bytes(Data())
    return reply
  }

  /// The head, with the empty line at its end.
  var head: String {
    var lines = ["HTTP/1.1 \(status) \(Self.reasons[status] ?? "Status")", "Date: \(Self.date)"]
    if status != 304 { lines.append("Content-Type: \(type)") }
    lines.append("Cache-Control: \(caching)")
    if let tag { lines.append("ETag: \(tag)") }
    switch body {
    case .bytes(let data): if status != 304 { lines.append("Content-Length: \(data.count)") }
    case .file(_, let byteCount): lines.append("Content-Length: \(byteCount)")
    // The stream ends with the connection. Caches in between are not to collect it.
    case .events: lines += ["Connection: close", "X-Accel-Buffering: no"]
    }
    return (lines + ["X-Content-Type-Options: nosniff", "", ""]).joined(separator: "\r\n")
  }

  var isEndless: Bool { if case .events = body { true } else { false } }

  private static let reasons = [
    200: "OK", 204: "No Content", 304: "Not Modified", 400: "Bad Request", 404: "Not Found",
    405: "Method Not Allowed", 500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable",
  ]

  private static var date: String {
    var (now, parts) = (time(nil), tm())
    gmtime_r(&now, &parts)
    let text = [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
      count = buffer.withMemoryRebound(to: CChar.self) { buffer in
        strftime(buffer.baseAddress!, buffer.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
