internal import Streams

/// An HTTP/2 server that answers requests with frames without a meaning, as fast as they are taken.
package final class FrameFlood: Sendable {
  package enum Frame: Sendable, CaseIterable {
    /// After the head of a response, pieces of its body without a byte.
    case emptyData
    case windowUpdate
    case priority
    case ping
    case unknown
  }

  private let server: FrameServer
  private let log: EventLog
  private let sentBytes: Guarded<Int>

  package init(of frame: Frame, at port: UInt16) throws {
    let (log, sentBytes) = (EventLog(), Guarded(0))
    (self.log, self.sentBytes) = (log, sentBytes)
    server = try FrameServer(at: port) { request, send in
      if frame == .emptyData, !send(FrameServer.head(request.stream)) { return }
      let junk = Array(repeatElement(frame.bytes(on: request.stream), count: 5000).joined())
      log.append(.opened(connection: request.connection))
      while send(junk) { sentBytes.withLock { $0 += junk.count } }
    }
  }

  /// The number of bytes of the flood that were taken.
  package var byteCount: Int { sentBytes.withLock { $0 } }

  /// Waits until a flood has begun.
  package func begun() async {
    _ = await log.first { if case .opened = $0 { true } else { false } }
  }

  package func stop() {
    server.stop()
    log.end()
  }
}

extension FrameFlood.Frame {
  fileprivate func bytes(on stream: UInt32) -> [UInt8] {
    switch self {
    case .emptyData: FrameServer.frame(type: 0, stream: stream)
    case .windowUpdate: FrameServer.frame(type: 8, stream: 0, [0, 0, 0, 1])
    case .priority: FrameServer.frame(type: 2, stream: stream, [0, 0, 0, 0, 16])
    case .ping: FrameServer.frame(type: 6, stream: 0, Array(repeating: 0, count: 8))
    case .unknown: FrameServer.frame(type: 0x77, stream: 0, Array(repeating: 0, count: 64))
    }
  }
}
