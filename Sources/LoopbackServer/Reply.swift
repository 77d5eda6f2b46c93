package import Foundation

/// What to answer, how fast, and what to get wrong.
package struct Reply: Sendable {
  package enum Framing: Sendable {
    case contentLength
    /// In chunks of so many bytes.
    case chunked(Int)
    /// The end of the connection is the end of the body.
    case untilClose
  }

  package struct Pace: Sendable {
    package var bytesPerSecond: Int
    package var pieceByteCount: Int

    package init(bytesPerSecond: Int, pieceByteCount: Int = 1 << 10) {
      self.bytesPerSecond = bytesPerSecond
      self.pieceByteCount = pieceByteCount
    }
  }

  package enum Fault: Sendable {
    /// Reads the request and says nothing, ever.
    case silence
    case closeBeforeHead
    case closeInHead
    /// Closes after so many bytes of the body.
    case close(afterBodyBytes: Int)
    /// The same with a reset.
    case reset(afterBodyBytes: Int)
    /// Says another Content-Length than is true, and closes after the body.
    case announce(length: String)
    /// Sends these bytes instead of a head, then the body, then closes.
    case rawHead(String)
    /// Adds so many headers of so many bytes; endlessly many if there is no count.
    case headerFlood(count: Int?, valueByteCount: Int)
    /// Repeats the body for ever, in chunks.
    case endless
    /// Answers ranges beginning so many bytes later than asked for.
    case shiftRange(by: Int)
  }

  package var status: Int
  package var headers: [(name: String, value: String)] = []
  package var body: Data
  package var framing = Framing.contentLength
  /// With quotes, and `W/` before them if it is weak.
  package var entityTag: String?
  package var lastModified: Date?
  /// Whether `Range` is heard.
  package var acceptsRanges = false
  package var keepsAlive = true
  /// How long to wait before the head.
  package var delay: Duration?
  /// What to wait for before the head.
  package var gate: Gate?
  /// What to wait for in the body, after so many bytes.
  package var bodyGate: (afterBytes: Int, gate: Gate)?
  package var pace: Pace?
  package var fault: Fault?

  package init(status: Int = 200, body: Data = Data()) {
    self.status = status
    self.body = body
  }

  /// The same with some changes: `.bytes(photo).with { $0.entityTag = "\"1\"" }`.
  package func with(_ change: (inout Reply) -> Void) -> Reply {
    var changed = self
    change(&changed)
    return changed
  }
}

extension Reply {
  package static func bytes(_ body: Data, type: String = "application/octet-stream") -> Reply {
    Reply(body: body).with { $0.headers = [("Content-Type", type)] }
  }

  package static func html(_ text: String, status: Int = 200) -> Reply {
    Reply(status: status, body: Data(text.utf8)).with { $0.headers = [("Content-Type", "text/html")] }
  }

  package static func status(_ status: Int) -> Reply {
    html("<p>\(status)</p>", status: status)
  }

  package static func redirect(to location: String, status: Int = 302) -> Reply {
    Reply(status: status, body: Data("elsewhere".utf8)).with { $0.headers = [("Location", location)] }
  }

  /// A body that is compressed already, by ``Gzip`` or beforehand.
  package static func gzipped(_ body: Data, type: String = "application/octet-stream") -> Reply {
    .bytes(body, type: type).with { $0.headers.append(("Content-Encoding", "gzip")) }
  }

  package static func failing(_ fault: Fault, body: Data = Data(repeating: 0x2E, count: 64 << 10)) -> Reply {
    Reply(body: body).with { $0.fault = fault }
  }
}
