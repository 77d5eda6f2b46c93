package import Foundation
internal import LoopbackSockets
internal import Streams

/// An HTTP/1.1 server on 127.0.0.1 for tests and examples. It can also misbehave in many ways.
///
/// ```swift
/// let server = try LoopbackServer()
/// server.serve("/photo.jpg", .bytes(photo, type: "image/jpeg"))
/// let (head, body) = try await loader.data(for: DataRequest(url: server.url("/photo.jpg")))
/// server.stop()
/// ```
///
/// One thread accepts connections, and each connection has a thread of its own. The response for other paths is 404.
/// The server runs until it is stopped, even if it is not retained.
package final class LoopbackServer: Sendable {
  package typealias Handler = @Sendable (Request) -> Reply

  package let port: UInt16
  private let listener: Socket
  private let alarm: Alarm
  private let threads = DispatchGroup()
  private let log = EventLog()
  private let handlers = Guarded<[String: Handler]>([:])
  private let openConnections = Guarded(0)
  private let maximumConnections: Int

  /// Listens on a port; on a free one by default.
  ///
  /// - Parameter maximumConnections: Further connections are closed as soon as they are accepted.
  package init(at port: UInt16 = 0, maximumConnections: Int = 256) throws {
    self.maximumConnections = maximumConnections
    alarm = try Alarm()
    (listener, self.port) = try Socket.listening(at: port)
    run { [self] in accept() }
  }

  /// Returns the URL of a path.
  package func url(_ path: String) -> URL { URL(string: "http://127.0.0.1:\(port)\(path)")! }

  /// Sends the same reply to every request for a path.
  package func serve(_ path: String, _ reply: Reply) { serve(path) { _ in reply } }

  /// Sends these replies one after the other; the last one is repeated.
  package func serve(_ path: String, inTurn replies: [Reply]) {
    let rest = Guarded(replies[...])
    serve(path) { _ in
      rest.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? .status(404) }
    }
  }

  /// Calls a handler for requests for a path. `*` stands for all other paths.
  ///
  /// - Parameter handler: Called on the thread of the connection.
  package func serve(_ path: String, _ handler: @escaping Handler) {
    handlers.withLock { $0[path] = handler }
  }

  /// The requests so far, in order.
  package var requests: [Request] {
    events.compactMap { if case .requested(let request) = $0 { request } else { nil } }
  }

  /// The events so far, in order.
  package var events: [Event] { log.all }

  /// Waits for an event. An earlier event counts.
  ///
  /// - Returns: `nil` if the server is stopped or the task is cancelled first.
  package func event(where isWanted: @escaping @Sendable (Event) -> Bool) async -> Event? {
    await log.first(where: isWanted)
  }

  /// Closes all connections and waits for all threads. Responses break off.
  package func stop() {
    alarm.ring()
    threads.wait()
    // Threads may retain the server a little longer; its descriptors are closed here.
    listener.close()
    alarm.close()
    log.end()
    // Handlers may retain the server. They are released outside the lock.
    let gone = handlers.withLock { handlers in
      defer { handlers = [:] }
      return handlers
    }
    withExtendedLifetime(gone) {}
  }

  private func accept() {
    var number = 0
    while let socket = listener.accept(until: alarm) {
      number += 1
      log.append(.opened(connection: number))
      let isWelcome = openConnections.withLock { count in
        guard count < maximumConnections else { return false }
        count += 1
        return true
      }
      guard isWelcome else {
        socket.close()
        log.append(.closed(connection: number, by: .server))
        continue
      }
      converse(on: socket, number: number)
    }
  }

  private func converse(on socket: Socket, number: Int) {
    let connection = Connection(socket, number: number, alarm: alarm, log: log) { [self] request in
      let handler = handlers.withLock { $0[request.path] ?? $0["*"] }
      return handler?(request) ?? .status(404)
    }
    run { [self] in
      connection.serve()
      openConnections.withLock { $0 -= 1 }
    }
  }

  private func run(_ body: @escaping @Sendable () -> Void) {
    threads.enter()
    Thread.detachNewThread { [threads] in
      body()
      threads.leave()
    }
  }
}
