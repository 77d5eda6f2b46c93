internal import Foundation
internal import LoopbackSockets
internal import Streams

/// An HTTP/2 server that answers the first request of each connection with frames without a meaning, as fast as they are taken.
///
/// It speaks HTTP/2 in the clear, and needs something in front of it that adds TLS.
package final class FrameFlood: Sendable {
  package enum Frame: Sendable, CaseIterable {
    /// After the head of a response, pieces of its body without a byte.
    case emptyData
    case windowUpdate
    case priority
    case ping
    case unknown
  }

  private let frame: Frame
  private let listener: Socket
  private let alarm: Alarm
  private let threads = DispatchGroup()
  private let log: EventLog
  private let sentBytes = Guarded(0)

  package init(of frame: Frame, at port: UInt16) throws {
    self.frame = frame
    log = EventLog()
    alarm = try Alarm()
    (listener, _) = try Socket.listening(at: port)
    run { $0.accept() }
  }

  /// The number of bytes of the flood that were taken.
  package var byteCount: Int { sentBytes.withLock { $0 } }

  /// Waits until a flood has begun.
  package func begun() async {
    _ = await log.first { if case .opened = $0 { true } else { false } }
  }

  package func stop() {
    alarm.ring()
    threads.wait()
    listener.close()
    alarm.close()
    log.end()
  }

  private func run(_ body: @escaping @Sendable (FrameFlood) -> Void) {
    threads.enter()
    Thread.detachNewThread { [self] in
      body(self)
      threads.leave()
    }
  }

  private func accept() {
    while let client = listener.accept(until: alarm) {
      run { $0.flood(client) }
    }
  }

  private func flood(_ client: Socket) {
    defer { client.close() }
    var heard: [UInt8] = []
    guard send(Self.frame(type: 4, stream: 0), to: client) else { return }
    while let stream = Self.request(in: heard) ?? listen(to: client, &heard) {
      guard stream != 0 else { continue }
      // The head of a response with status 200, from the static table.
      if frame == .emptyData {
        guard send(Self.frame(type: 1, flags: 4, stream: stream, [0x88]), to: client) else { return }
      }
      let junk = Array(repeatElement(frame.bytes(on: stream), count: 5000).joined())
      log.append(.opened(connection: 1))
      while send(junk, to: client) { sentBytes.withLock { $0 += junk.count } }
      return
    }
  }

  /// Receives more. 0 if something came; `nil` at the end.
  private func listen(to client: Socket, _ heard: inout [UInt8]) -> UInt32? {
    guard client.wait(toRead: true, alarm: alarm) == .ready else { return nil }
    guard let bytes = client.receive() else { return 0 }
    heard += bytes
    return bytes.isEmpty ? nil : 0
  }

  /// The stream of the first request among what a client has sent: after the preface, frames.
  private static func request(in heard: [UInt8]) -> UInt32? {
    var rest = heard.dropFirst(24)
    while rest.count >= 9 {
      let head = Array(rest.prefix(9))
      if head[3] == 1 { return head[5...8].reduce(0) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF }
      rest = rest.dropFirst(9 + Int(head[0]) << 16 + Int(head[1]) << 8 + Int(head[2]))
    }
    return nil
  }

  fileprivate static func frame(
    type: UInt8, flags: UInt8 = 0, stream: UInt32, _ payload: [UInt8] = []
  ) -> [UInt8] {
    let count = payload.count
    return [UInt8(count >> 16), UInt8(count >> 8 & 255), UInt8(count & 255), type, flags]
      + (0..<4).map { UInt8(truncatingIfNeeded: stream >> (24 - 8 * $0)) } + payload
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

extension FrameFlood.Frame {
  fileprivate func bytes(on stream: UInt32) -> [UInt8] {
    switch self {
    case .emptyData: FrameFlood.frame(type: 0, stream: stream)
    case .windowUpdate: FrameFlood.frame(type: 8, stream: 0, [0, 0, 0, 1])
    case .priority: FrameFlood.frame(type: 2, stream: stream, [0, 0, 0, 0, 16])
    case .ping: FrameFlood.frame(type: 6, stream: 0, Array(repeating: 0, count: 8))
    case .unknown: FrameFlood.frame(type: 0x77, stream: 0, Array(repeating: 0, count: 64))
    }
  }
}
