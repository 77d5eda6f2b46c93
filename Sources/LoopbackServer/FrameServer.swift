internal import Foundation
internal import LoopbackSockets
internal import Streams

/// An HTTP/2 server that responds to each request with frames that a test writes.
///
/// It speaks HTTP/2 in the clear, and needs something in front of it that adds TLS.
package final class FrameServer: Sendable {
  package struct Request: Sendable {
    /// Both count from one.
    package let connection: Int
    package let number: Int
    package let stream: UInt32
  }

  /// Called on the thread of a connection. `send` returns false if the client has left.
  package typealias Handler = @Sendable (_ request: Request, _ send: ([UInt8]) -> Bool) -> Void

  private let handler: Handler
  private let listener: Socket
  private let alarm: Alarm
  private let threads = DispatchGroup()
  private let requests = Guarded([Request]())

  package init(at port: UInt16, _ handler: @escaping Handler) throws {
    self.handler = handler
    alarm = try Alarm()
    (listener, _) = try Socket.listening(at: port)
    run { $0.accept() }
  }

  /// The number of requests so far, and the connection of the last one.
  package var last: (count: Int, connection: Int) {
    requests.withLock { ($0.count, $0.last?.connection ?? 0) }
  }

  package func stop() {
    alarm.ring()
    threads.wait()
    listener.close()
    alarm.close()
  }

  private func run(_ body: @escaping @Sendable (FrameServer) -> Void) {
    threads.enter()
    Thread.detachNewThread { [self] in
      body(self)
      threads.leave()
    }
  }

  private func accept() {
    var count = 0
    while let client = listener.accept(until: alarm) {
      count += 1
      let number = count
      run { $0.serve(client, number) }
    }
  }

  private func serve(_ client: Socket, _ connection: Int) {
    defer { client.close() }
    guard send(Self.frame(type: 4, stream: 0), to: client) else { return }
    // After the preface, frames.
    var (heard, isFirst) = ([UInt8](), true)
    while client.wait(toRead: true, alarm: alarm) == .ready {
      guard let bytes = client.receive() else { continue }
      guard !bytes.isEmpty else { return }
      heard += bytes
      if isFirst, heard.count >= 24 {
        heard.removeFirst(24)
        isFirst = false
      }
      while !isFirst, let frame = Self.takeFrame(from: &heard) {
        guard frame.type == 1 else { continue }
        let request = requests.withLock { requests in
          requests.append(Request(connection: connection, number: requests.count + 1, stream: frame.stream))
          return requests.last!
        }
        handler(request) { send($0, to: client) }
      }
    }
  }

  private static func takeFrame(from heard: inout [UInt8]) -> (type: UInt8, stream: UInt32)? {
    guard heard.count >= 9 else { return nil }
    let size = Int(heard[0]) << 16 + Int(heard[1]) << 8 + Int(heard[2])
    guard heard.count >= 9 + size else { return nil }
    let stream = heard[5...8].reduce(0) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
    defer { heard.removeFirst(9 + size) }
    return (heard[3], stream)
  }

  private func send(_ bytes: [UInt8], to client: Socket) -> Bool {
    bytes.withUnsafeBytes { all in
      var rest = all[...]
      while !rest.isEmpty {
        guard let count = client.send(UnsafeRawBufferPointer(rebasing: rest)) else { return false }
        rest = rest.dropFirst(count)
        if count == 0 {
          guard client.wait(toWrite: true, alarm: alarm) == .ready else { return false }
        }
      }
      return true
    }
  }
}

// MARK: Frames

extension FrameServer {
  package static func frame(
    type: UInt8, flags: UInt8 = 0, stream: UInt32, _ payload: [UInt8] = []
  ) -> [UInt8] {
    let count = payload.count
    let head: [UInt8] = [UInt8(count >> 16), UInt8(count >> 8 & 255), UInt8(count & 255), type, flags]
    let number: [UInt8] = (0..<4).map { UInt8(truncatingIfNeeded: stream >> (24 - 8 * $0)) }
    return head + number + payload
  }

  /// A head with status 200, or another one of three digits, and fields of 4,000 bytes.
  package static func head(
    _ stream: UInt32, status: String = "200", length: Int? = nil, fieldCount: Int = 0, ends: Bool = false
  ) -> [UInt8] {
    // Names from the static table, and values that are not compressed.
    var block: [UInt8] = status == "200" ? [0x88] : [0x08, 3] + Array(status.utf8)
    if let length { block += [0x0F, 0x0D, UInt8(String(length).utf8.count)] + Array(String(length).utf8) }
    for number in 0..<fieldCount {
      let name = Array("x-\(number)".utf8)
      block += [0, UInt8(name.count)] + name
      // The length, in seven bits and then in groups of seven.
      block += [0x7F, UInt8((4_000 - 127) & 127 | 128), UInt8((4_000 - 127) >> 7)]
      block += Array(repeating: UInt8(ascii: "b"), count: 4_000)
    }
    let pieces = stride(from: 0, to: block.count, by: 16_384).map {
      Array(block[$0..<min($0 + 16_384, block.count)])
    }
    return Array(
      pieces.enumerated().map { index, piece in
        let flags: UInt8 = (index == pieces.count - 1 ? 4 : 0) | (index == 0 && ends ? 1 : 0)
        return frame(type: index == 0 ? 1 : 9, flags: flags, stream: stream, piece)
      }.joined())
  }

  package static func data(_ stream: UInt32, _ text: String, ends: Bool = true) -> [UInt8] {
    frame(type: 0, flags: ends ? 1 : 0, stream: stream, Array(text.utf8))
  }
}
