import Foundation
import StreamImages

/// One connection, on its thread: a request, its answer, and again.
///
/// While an answer is in the making, and while it is sent, the thread watches whether the client is still there. If it
/// has left, the subscription to the answer is cancelled, and with it all the work that was done for it alone.
struct HTTPConnection {
  private static let maximumHeadByteCount = 16 << 10
  private static let patience = Duration.seconds(30)
  private static let pieceByteCount = 64 << 10

  private let wire: Wire
  private let handler: HTTPServer.Handler
  private let observer: HTTPServer.Observer
  private var incoming: [UInt8] = []

  init(_ wire: Wire, _ handler: @escaping HTTPServer.Handler, _ observer: HTTPServer.Observer) {
    self.wire = wire
    self.handler = handler
    self.observer = observer
  }

  mutating func serve() {
    while let head = nextHead() {
      guard let request = HTTPRequest(head: head), !request.hasBody else {
        _ = send(.text(400, "That is no request."), toHead: false)
        return
      }
      guard ["GET", "HEAD"].contains(request.method) else {
        _ = send(.text(405, "There is nothing but to get."), toHead: false)
        return
      }
      guard let reply = reply(to: request)?.fitted(to: request),
        send(reply, toHead: request.method == "HEAD"),
        request.headers["connection"]?.lowercased() != "close"
      else { return }
    }
  }

  /// `nil` when the client says nothing more.
  private mutating func nextHead() -> [UInt8]? {
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let range = incoming.firstRange(of: end) {
        defer { incoming.removeSubrange(..<range.upperBound) }
        return Array(incoming[..<range.lowerBound])
      }
      guard incoming.count < Self.maximumHeadByteCount,
        wire.wait(toRead: true, upTo: Self.patience) == .ready
      else { return nil }
      guard let bytes = wire.receive() else { continue }
      if bytes.isEmpty { return nil }
      incoming += bytes
    }
  }

  /// `nil` if the client has left.
  private func reply(to request: HTTPRequest) -> HTTPReply? {
    let mailbox = Mailbox<HTTPReply>()
    let subscription = handler(request).sink { _ in
      mailbox.finish()
    } receiveValue: { reply in
      mailbox.put(reply)
    }
    defer { subscription.cancel() }
    switch mailbox.next(for: wire) {
    case .value(let reply): return reply
    case .finished: return .text(500, "There was no answer.")
    case .undeliverable:
      observer.left()
      return nil
    }
  }

  /// - Parameter toHead: Whether only the head was asked for.
  /// - Returns: Whether the connection can go on.
  private func send(_ reply: HTTPReply, toHead: Bool) -> Bool {
    guard push(Data(reply.head.utf8)) else { return false }
    if toHead { return !reply.isEndless }
    switch reply.body {
    case .bytes(let data):
      let isSent = push(data, pace: reply.pace)
      if !isSent { observer.left() }
      return isSent
    case .file(let url, let byteCount): return push(url, byteCount, pace: reply.pace)
    case .events(let events):
      push(events())
      return false
    }
  }

  private func push(_ url: URL, _ byteCount: Int, pace: Int?) -> Bool {
    guard let file = try? FileHandle(forReadingFrom: url) else { return false }
    var rest = byteCount
    while rest > 0 {
      guard let piece = try? file.read(upToCount: min(rest, Self.pieceByteCount)), !piece.isEmpty,
        push(piece, pace: pace)
      else { return false }
      rest -= piece.count
    }
    return true
  }

  private func push(_ events: AnyPublisher<String, Never>) {
    let mailbox = Mailbox<String>()
    let subscription = events.sink { _ in
      mailbox.finish()
    } receiveValue: {
      mailbox.put($0)
    }
    defer { subscription.cancel() }
    while case .value(let event) = mailbox.next(for: wire), push(whole: Data("data: \(event)\n\n".utf8)) {}
  }

  private func push(_ data: Data, pace: Int? = nil) -> Bool {
    guard let pace else { return push(whole: data, isCounted: true) }
    var rest = data[...]
    while !rest.isEmpty {
      let piece = rest.prefix(16 << 10)
      rest = rest.dropFirst(piece.count)
      guard push(whole: piece, isCounted: true),
        wire.wait(upTo: .seconds(Double(piece.count) / Double(pace))) == .timedOut
      else { return false }
    }
    return true
  }

  /// - Parameter isCounted: Events are not: telling what was sent would be something new to tell.
  private func push(whole data: Data, isCounted: Bool = false) -> Bool {
    data.withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let piece = UnsafeRawBufferPointer(
          rebasing: bytes[sent..<min(sent + Self.pieceByteCount, bytes.count)])
        guard let taken = wire.send(piece) else { return false }
        sent += taken
        if isCounted { observer.sent(taken) }
        if taken == 0, wire.wait(toWrite: true, upTo: Self.patience) != .ready { return false }
      }
      return true
    }
  }
}
