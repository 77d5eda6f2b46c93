internal import LoopbackSockets

/// One connection on its own thread. Handles its requests one after the other.
final class Connection: Sendable {
  private let socket: Socket
  private let number: Int
  private let alarm: Alarm
  private let log: EventLog
  private let reply: LoopbackServer.Handler

  init(
    _ socket: Socket, number: Int, alarm: Alarm, log: EventLog, reply: @escaping LoopbackServer.Handler
  ) {
    self.socket = socket
    self.number = number
    self.alarm = alarm
    self.log = log
    self.reply = reply
  }

  func serve() {
    var incoming = Incoming()
    var closer = Event.Side.client
    while let head = incoming.nextHead(from: socket, alarm: alarm) {
      guard var request = Request(head: head, number: log.nextRequestNumber(), connection: number) else {
        closer = .server
        break
      }
      // Such a request is answered before its body is read.
      let isEarly = request[header: "X-Early"] != nil
      if !isEarly {
        guard let body = incoming.body(of: request, from: socket, alarm: alarm) else { break }
        request.body = body
      }
      log.append(.requested(request))
      var sender = Sender(socket, for: request, alarm: alarm, log: log)
      let outcome = sender.send(reply(request))
      log.append(.answered(request, outcome, bodyBytesSent: sender.bodyBytesSent))
      guard outcome == .sent, !sender.closesAfterwards else {
        closer = outcome == .clientLeft ? .client : .server
        // Closing with a body unread resets the connection, which may lose the response (RFC 9112, section 9.6).
        if isEarly, outcome == .sent {
          socket.finishSending()
          _ = incoming.body(of: request, from: socket, alarm: alarm)
        }
        break
      }
      if isEarly, incoming.body(of: request, from: socket, alarm: alarm) == nil { break }
    }
    socket.close()
    log.append(.closed(connection: number, by: closer))
  }
}

/// Received bytes that are not read yet.
private struct Incoming {
  private static let maximumHeadByteCount = 256 << 10
  private var bytes: [UInt8] = []

  /// Reads the body, as long as the head says. `nil` if the client closes before, or the alarm is set.
  mutating func body(of request: Request, from socket: Socket, alarm: Alarm) -> [UInt8]? {
    let count = request.bodyByteCount
    while bytes.count < count {
      guard socket.wait(toRead: true, alarm: alarm) == .ready else { return nil }
      guard let received = socket.receive() else { continue }
      guard !received.isEmpty else { return nil }
      bytes += received
    }
    defer { bytes.removeSubrange(..<count) }
    return Array(bytes[..<count])
  }

  /// Reads the next head. `nil` if the client closes or sends no head, or the alarm is set.
  mutating func nextHead(from socket: Socket, alarm: Alarm) -> [UInt8]? {
    while true {
      if let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
        defer { bytes.removeSubrange(..<end.upperBound) }
        return Array(bytes[..<end.lowerBound])
      }
      guard bytes.count < Self.maximumHeadByteCount, socket.wait(toRead: true, alarm: alarm) == .ready else {
        return nil
      }
      guard let received = socket.receive() else { continue }
      guard !received.isEmpty else { return nil }
      bytes += received
      // A method begins with a letter. Anything else, such as TLS, would keep both sides waiting.
      guard (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[0]) else { return nil }
    }
  }
}
