package import Foundation
internal import LoopbackSockets
internal import Streams

/// A bad network between a client and a server on 127.0.0.1: slow, late, lossy, silent or broken.
///
/// It passes bytes on, so it serves every protocol over TCP. The system accepts connections for it: connecting succeeds
/// although the relay is silent, but nothing arrives. A connection takes one round trip before its first bytes pass, as
/// a handshake does. It runs on a thread of its own until it is stopped, even if it is not retained.
package final class NetworkRelay: Sendable {
  struct Settings: Sendable {
    var link: Link
    var isSilent = false
    var blackHole: BlackHole?
    /// Connections up to this number are forgotten: nothing passes, and neither end is told.
    var lastForgotten = 0
    /// Connections up to this number are reset.
    var lastReset = 0
    /// So many of the connections after ``lastSpared`` are reset with their first bytes.
    var resetsLeft = 0
    var lastSpared = 0
    var connectionCount = 0
    var byteCount = 0
  }

  /// A time of silence that begins once so many bytes have passed to clients.
  struct BlackHole: Sendable {
    let byteCount: Int
    let duration: Duration
    let ended: CheckedContinuation<Void, Never>
    var end: ContinuousClock.Instant?

    /// Whether it is silent; `nil` once it is over.
    mutating func isSilent(after passed: Int) -> Bool? {
      guard let end else {
        if passed >= byteCount { end = .now + duration }
        return end != nil
      }
      return end > .now ? true : nil
    }
  }

  package let port: UInt16
  private let listener: Socket
  private let target: UInt16
  private let alarm: Alarm
  private let thread = DispatchGroup()
  private let settings: Guarded<Settings>

  /// Listens on a free port, and connects to `target` for each connection.
  package init(to target: UInt16, _ link: Link = Link()) throws {
    self.target = target
    settings = Guarded(Settings(link: link))
    alarm = try Alarm()
    (listener, port) = try Socket.listening()
    thread.enter()
    Thread.detachNewThread { [self] in
      run()
      thread.leave()
    }
  }

  package func url(_ path: String, scheme: String = "http") -> URL {
    URL(string: "\(scheme)://\(scheme == "https" ? "localhost" : "127.0.0.1"):\(port)\(path)")!
  }

  package var link: Link {
    get { settings.withLock { $0.link } }
    set { settings.withLock { $0.link = newValue } }
  }

  /// Whether nothing passes, as in a tunnel. What was sent meanwhile arrives afterwards.
  package var isSilent: Bool {
    get { settings.withLock { $0.isSilent } }
    set { settings.withLock { $0.isSilent = newValue } }
  }

  /// Is silent for a while once `byteCount` more bytes have passed to clients. Returns when that is over.
  package func fallSilent(for duration: Duration, after byteCount: Int) async {
    await withCheckedContinuation { ended in
      settings.withLock { settings in
        settings.blackHole = BlackHole(
          byteCount: settings.byteCount + byteCount, duration: duration, ended: ended)
      }
    }
  }

  /// Passes on nothing more of the connections that exist, as an address translator does that has lost its table.
  package func forgetConnections() { settings.withLock { $0.lastForgotten = $0.connectionCount } }

  package func resetConnections() { settings.withLock { $0.lastReset = $0.connectionCount } }

  /// Resets so many of the next connections as soon as the client has sent something, for example the first message of TLS.
  package func resetNext(_ count: Int) {
    settings.withLock { ($0.resetsLeft, $0.lastSpared) = (count, $0.connectionCount) }
  }

  /// The number of connections so far.
  package var connectionCount: Int { settings.withLock { $0.connectionCount } }

  /// The number of bytes that were passed on to clients.
  package var byteCount: Int { settings.withLock { $0.byteCount } }

  /// Closes all connections, and waits for the thread.
  package func stop() {
    alarm.ring()
    thread.wait()
    listener.close()
    alarm.close()
  }

  /// Accepts a connection, and connects to the target for it.
  private func accept() -> (client: Socket, server: Socket)? {
    guard let client = listener.acceptWaiting() else { return nil }
    let buffered = link.bytesPerSecond.map { CInt(clamping: max(4096, $0 / 20)) }
    let server = try? Socket.connecting(to: target, segmentByteCount: 1400, bufferedByteCount: buffered)
    return server.map { (client, $0) }
  }

  private func run() {
    var (traffic, isAccepting) = (RelayTraffic(), true)
    while let ready = Socket.wait(
      for: [(listener, isAccepting, false)] + traffic.awaited(settings.withLock { $0 }), alarm: alarm,
      timeout: traffic.pause)
    {
      let connection = ready.first == 0 ? accept() : nil
      // There may be no descriptor left.
      isAccepting = ready.first != 0 || connection != nil
      // A client may read the counts as soon as it receives a byte, so both change under one lock.
      settings.withLock { settings in
        if let (client, server) = connection {
          settings.connectionCount += 1
          traffic.add(client, server, number: settings.connectionCount, settings.link)
        }
        let (resets, bytes) = traffic.turn(settings)
        settings.resetsLeft = max(0, settings.resetsLeft - resets)
        settings.byteCount += bytes
        return settings.passThroughBlackHole()
      }?.resume()
    }
    traffic.closeAll()
    settings.withLock { $0.blackHole.take() }?.ended.resume()
  }
}

extension NetworkRelay.Settings {
  /// Returns who waits for its end.
  fileprivate mutating func passThroughBlackHole() -> CheckedContinuation<Void, Never>? {
    guard let silence = blackHole?.isSilent(after: byteCount) else {
      guard let over = blackHole.take() else { return nil }
      isSilent = false
      return over.ended
    }
    if silence { isSilent = true }
    return nil
  }
}
