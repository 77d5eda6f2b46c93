package import Foundation

/// A reply: its content, its pace, and its faults.
package struct Reply: Sendable {
  package enum Framing: Sendable {
    case contentLength
    /// In chunks of this size.
    case chunked(Int)
    /// The body ends with the connection.
    case untilClose
  }

  package struct Pace: Sendable {
    package var bytesPerSecond: Int
    package var pieceByteCount: Int

    package init(bytesPerSecond: Int, pieceByteCount: Int = 1 << 10) {
      (self.bytesPerSecond, self.pieceByteCount) = (bytesPerSecond, pieceByteCount)
    }
  }

  package enum Fault: Sendable {
    /// Reads the request and never responds.
    case silence
    case closeBeforeHead
    case closeInHead
    /// Closes after this number of bytes of the body.
    case close(afterBodyBytes: Int)
    /// The same with a reset.
    case reset(afterBodyBytes: Int)
    /// Sends a wrong Content-Length, and closes after the body.
    case announce(length: String)
    /// Sends these bytes in place of a head, then the body, then closes.
    case rawHead(String)
    /// Adds this number of headers of this size; without a count, endlessly many.
    case headerFlood(count: Int?, valueByteCount: Int)
    /// Repeats the body endlessly, in chunks.
    case endless
    /// Sends exactly these bytes, the head included, in one piece.
    case exact(String, then: Ending)
    /// Responds with ranges that begin this many bytes later than requested.
    case shiftRange(by: Int)
  }

  /// What a server does after a response.
  package enum Ending: Sendable {
    case stays
    case closes
    /// Closes its own direction only.
    case halfCloses
    /// Sends more bytes when a gate opens. No request asks for them.
    case sends(String, Gate)
  }

  package var status: Int
  package var headers: [(name: String, value: String)] = []
  package var body: Data
  package var framing = Framing.contentLength
  /// With quotation marks, and `W/` before them if it is weak.
  package var entityTag: String?
  package var lastModified: Date?
  /// Whether `Range` is supported.
  package var acceptsRanges = false
  package var keepsAlive = true
  /// How long to wait before the head.
  package var delay: Duration?
  /// The gate to wait for before the head.
  package var gate: Gate?
  /// The gate to wait for within the body, after a number of bytes.
  package var bodyGate: (afterBytes: Int, gate: Gate)?
  package var pace: Pace?
  package var fault: Fault?

  package init(status: Int = 200, body: Data = Data()) { (self.status, self.body) = (status, body) }

  /// Returns a changed copy: `.bytes(photo).with { $0.entityTag = "\"1\"" }`.
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

  package static func status(_ status: Int) -> Reply { html("<p>\(status)</p>", status: status) }

  package static func redirect(to location: String, status: Int = 302) -> Reply {
    Reply(status: status, body: Data("elsewhere".utf8)).with { $0.headers = [("Location", location)] }
  }

  /// A body that gzip has compressed already.
  package static func gzipped(_ body: Data, type: String = "application/octet-stream") -> Reply {
    .bytes(body, type: type).with { $0.headers.append(("Content-Encoding", "gzip")) }
  }

  /// These bytes in place of a response.
  package static func exact(_ text: String, then ending: Ending = .stays) -> Reply {
    .failing(.exact(text, then: ending), body: Data())
  }

  package static func failing(_ fault: Fault, body: Data = Data(repeating: 0x2E, count: 64 << 10)) -> Reply {
    Reply(body: body).with { $0.fault = fault }
  }
}
