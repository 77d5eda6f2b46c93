package import Foundation
internal import Streams

/// An HTTP/1.1 server on 127.0.0.1 that does what tests and examples need, misbehaving included.
///
/// ```swift
/// let server = try LoopbackServer()
/// server.serve("/photo.jpg", .bytes(photo, type: "image/jpeg"))
/// let (head, body) = try await loader.data(for: DataRequest(url: server.url("/photo.jpg")))
/// server.stop()
/// ```
///
/// One thread accepts, and each connection has a thread of its own. Paths nobody serves are answered with
/// 404. It runs until it is stopped, whether somebody holds it or not.
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

  /// Listens at a free port, and answers from now on.
  ///
  /// - Parameter maximumConnections: Connections beyond these are closed as soon as they are accepted.
  package init(maximumConnections: Int = 256) throws {
    self.maximumConnections = maximumConnections
    alarm = try Alarm()
    (listener, port) = try Socket.listening()
    threads.enter()
    Thread.detachNewThread { [self] in
      accept()
      threads.leave()
    }
  }

  /// The address of a path here.
  package func url(_ path: String) -> URL {
    URL(string: "http://127.0.0.1:\(port)\(path)")!
  }

  /// Answers every request for a path in the same way.
  package func serve(_ path: String, _ reply: Reply) {
    serve(path) { _ in reply }
  }

  /// Answers requests for a path one after the other; the last answer is repeated.
  package func serve(_ path: String, inTurn replies: [Reply]) {
    let queue = Queue(replies)
    serve(path) { _ in queue.next() }
  }

  /// Answers requests for a path as they come. `*` stands for all paths that are not served otherwise.
  ///
  /// - Parameter handler: Called on the thread of a connection.
  package func serve(_ path: String, _ handler: @escaping Handler) {
    handlers.withLock { $0[path] = handler }
  }

  /// What was asked so far, in order.
  package var requests: [Request] {
    events.compactMap { if case .requested(let request) = $0 { request } else { nil } }
  }

  /// What happened so far, in order.
  package var events: [Event] { log.all }

  /// Waits for an event; one that has happened already counts.
  ///
  /// - Returns: `nil` if the server stopped, or the task was cancelled, before it happened.
  package func event(where isWanted: @escaping @Sendable (Event) -> Bool) async -> Event? {
    await log.first(where: isWanted)
  }

  /// Closes every connection and waits for every thread. What was being sent breaks off.
  package func stop() {
    alarm.ring()
    threads.wait()
    // Threads that are about to end may hold the server a little longer; its descriptors are closed by now.
    listener.close()
    alarm.close()
    log.end()
    // What answers may hold the server. Let go of outside the lock.
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
    threads.enter()
    Thread.detachNewThread { [self] in
      connection.serve()
      openConnections.withLock { $0 -= 1 }
      threads.leave()
    }
  }
}

/// Values handed out one by one, the last again and again.
private final class Queue: Sendable {
  private let replies: Guarded<ArraySlice<Reply>>

  init(_ replies: [Reply]) { self.replies = Guarded(replies[...]) }

  func next() -> Reply {
    replies.withLock { replies in
      replies.count > 1 ? replies.removeFirst() : replies.first ?? .status(404)
    }
  }
}
