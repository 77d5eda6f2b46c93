import Foundation
import StreamImages
import Synchronization

/// A server of HTTP/1.1 for this machine: a thread accepts, and each connection has a thread of its own.
///
/// Enough for a browser, and for nginx in front of it; it is not meant for the open network.
final class HTTPServer: Sendable {
  /// The answer to a request: one value. Subscribed to on the thread of the connection, and cancelled when
  /// the client leaves before it is there.
  typealias Handler = @Sendable (HTTPRequest) -> AnyPublisher<HTTPReply, Never>

  /// Whom it tells how things go, from the threads of connections.
  struct Observer: Sendable {
    /// So many bytes went out.
    var sent: @Sendable (Int) -> Void = { _ in }
    /// A client left before it had all of its answer.
    var left: @Sendable () -> Void = {}
  }

  private static let maximumConnections = 256

  private let listener: Listener
  private let openConnections = Mutex(0)

  var port: UInt16 { listener.port }
  var url: URL { URL(string: "http://127.0.0.1:\(port)/")! }

  /// Answers from now on, until the process ends.
  ///
  /// - Parameter port: 0 for any that is free.
  init(
    port: UInt16 = 0, observer: Observer = Observer(), _ handler: @escaping Handler
  ) throws(Listener.Failure) {
    listener = try Listener(port: port)
    Thread.detachNewThread { [self] in
      while true { converse(at: listener.accept(), observer, handler) }
    }
  }

  private func converse(at wire: Wire, _ observer: Observer, _ handler: @escaping Handler) {
    let isWelcome = openConnections.withLock { count in
      guard count < Self.maximumConnections else { return false }
      count += 1
      return true
    }
    // Letting go of a wire closes it.
    guard isWelcome else { return }
    Thread.detachNewThread { [self] in
      var connection = HTTPConnection(wire, handler, observer)
      connection.serve()
      openConnections.withLock { $0 -= 1 }
    }
  }
}
