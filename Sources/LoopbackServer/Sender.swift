import Foundation
internal import LoopbackSockets

/// Sends one response, with its pace and its fault, until the client closes or the alarm is set.
struct Sender {
  /// The reason to stop sending.
  private struct Stop: Error {
    let outcome: Event.Outcome
  }

  private(set) var bodyBytesSent = 0
  private(set) var closesAfterwards = false
  private let socket: Socket
  private let request: Request
  private let alarm: Alarm
  private let log: EventLog

  init(_ socket: Socket, for request: Request, alarm: Alarm, log: EventLog) {
    (self.socket, self.request, self.alarm, self.log) = (socket, request, alarm, log)
  }

  mutating func send(_ reply: Reply) -> Event.Outcome {
    do throws(Stop) {
      let answer = Answer(reply, to: request)
      closesAfterwards = answer.closes
      if let delay = reply.delay { try pause(for: delay) }
      if let gate = reply.gate { try wait(for: gate) }
      if case .exact(let text, let ending) = reply.fault {
        try push(text.utf8)
        try end(by: ending)
        return .sent
      }
      try sendHead(answer, of: reply)
      try sendBody(answer.body, of: reply)
      return .sent
    } catch {
      return error.outcome
    }
  }

  private mutating func end(by ending: Reply.Ending) throws(Stop) {
    switch ending {
    case .stays: break
    case .closes: closesAfterwards = true
    case .halfCloses: socket.finishSending()
    case .sends(let bytes, let gate):
      try wait(for: gate)
      try push(bytes.utf8)
    }
  }

  private mutating func sendHead(_ answer: Answer, of reply: Reply) throws(Stop) {
    switch reply.fault {
    case .silence: try pause(for: nil)
    case .closeBeforeHead: throw Stop(outcome: .dropped)
    case .closeInHead:
      try push(answer.head.prefix(answer.head.count / 2))
      throw Stop(outcome: .dropped)
    case .headerFlood(let count, let valueByteCount):
      try push(answer.head.dropLast(2))
      let value = String(repeating: "x", count: valueByteCount)
      for number in 0..<(count ?? .max) { try push("X-Flood-\(number): \(value)\r\n".utf8) }
      try push("\r\n".utf8)
    default: try push(answer.head)
    }
  }

  private mutating func sendBody(_ body: Data, of reply: Reply) throws(Stop) {
    try reachMark(of: reply)
    if case .endless = reply.fault {
      while !body.isEmpty { try sendPieces(of: body, reply) }
    }
    try sendPieces(of: body, reply)
    if case .chunked = reply.framing, request.method != "HEAD" { try push("0\r\n\r\n".utf8) }
  }

  private mutating func sendPieces(of body: Data, _ reply: Reply) throws(Stop) {
    var rest = body
    while !rest.isEmpty {
      let piece = rest.prefix(reply.pieceByteCount(after: bodyBytesSent))
      rest = rest.dropFirst(piece.count)
      if reply.isChunked { try push("\(String(piece.count, radix: 16))\r\n".utf8) }
      try push(piece, isBody: true)
      if reply.isChunked { try push("\r\n".utf8) }
      if let pace = reply.pace {
        try pause(for: .seconds(Double(piece.count) / Double(pace.bytesPerSecond)))
      }
      try reachMark(of: reply)
    }
  }

  /// Executes what the reply requires after a number of bytes of the body.
  private func reachMark(of reply: Reply) throws(Stop) {
    if let bodyGate = reply.bodyGate, bodyGate.afterBytes == bodyBytesSent { try wait(for: bodyGate.gate) }
    switch reply.fault {
    case .close(let count) where count == bodyBytesSent: throw Stop(outcome: .dropped)
    case .reset(let count) where count == bodyBytesSent:
      socket.reset()
      throw Stop(outcome: .dropped)
    default: break
    }
  }

  private mutating func push(_ bytes: some Sequence<UInt8>, isBody: Bool = false) throws(Stop) {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      guard let sent = rest.withUnsafeBytes({ socket.send($0) }) else { throw Stop(outcome: .clientLeft) }
      rest = rest.dropFirst(sent)
      if isBody { bodyBytesSent += sent }
      if sent == 0 { try waitForRoom() }
    }
  }

  private func waitForRoom() throws(Stop) {
    switch socket.wait(toWrite: true, alarm: alarm, timeout: .milliseconds(100)) {
    case .ready: return
    case .timedOut: log.append(.stalled(request, bodyBytesSent: bodyBytesSent))
    case let other: try leave(other)
    }
    try leave(socket.wait(toWrite: true, alarm: alarm))
  }

  private func pause(for duration: Duration?) throws(Stop) {
    try leave(socket.wait(alarm: alarm, timeout: duration))
  }

  private func wait(for gate: Gate) throws(Stop) {
    try leave(socket.wait(alarm: alarm, gate: gate.alarm))
  }

  private func leave(_ wait: Socket.Wait) throws(Stop) {
    switch wait {
    case .ready, .timedOut, .gateOpened: return
    case .hungUp: throw Stop(outcome: .clientLeft)
    case .stopped: throw Stop(outcome: .stopped)
    }
  }
}

extension Reply {
  fileprivate var isChunked: Bool {
    if case .endless = fault { return true }
    if case .chunked = framing { return true }
    return false
  }

  /// A piece never extends beyond a mark.
  fileprivate func pieceByteCount(after sent: Int) -> Int {
    var count = pace?.pieceByteCount ?? 64 << 10
    if case .chunked(let size) = framing { count = min(count, size) }
    var marks = [bodyGate?.afterBytes]
    switch fault {
    case .close(let mark), .reset(let mark): marks.append(mark)
    default: break
    }
    for mark in marks.compactMap(\.self) where mark > sent { count = min(count, mark - sent) }
    return max(1, count)
  }
}
