internal import CThreads
internal import LoopbackSockets
internal import StreamsExtras

/// Serves a page that shows all living subscriptions of the process, and changes as they do.
///
/// ```swift
/// let inspector = try StreamInspector.start()
/// print(inspector.url)  // http://127.0.0.1:49213/8d0c…/
/// inspector.stop()
/// ```
///
/// The page has each subscription with its operator, the place of its name, values a second, demand, waiting values, drops,
/// and the time since its last event. Select one to see its last 100 events and what it waits for.
///
/// Subscriptions that began before are shown as far as they are known: those that a timeline or introspection has seen, those
/// above `print()`, `debug(_:)` and `handleDrops(_:)`, and those that drop a value.
///
/// The page only reads. Only this machine reaches it, and only with the random token in the address. It runs on a thread of its
/// own, until it is stopped. While it runs, each event of a subscription takes about 210 nanoseconds, and descriptions of
/// values are visible on the page.
public final class StreamInspector: Sendable {
  /// Why an inspector did not start.
  public struct StartError: Error, Hashable, CustomStringConvertible {
    /// The system call that failed, and the reason.
    public let description: String
  }

  /// The address of the page, with its token. Treat it as a password: values can be secret.
  public let url: String
  /// The port.
  public let port: UInt16

  private let subscriptions: LiveSubscriptions
  private let server: PageServer

  private init(_ server: PageServer, _ subscriptions: LiveSubscriptions, token: Token) {
    (self.server, self.subscriptions) = (server, subscriptions)
    port = server.port
    url = "http://127.0.0.1:\(server.port)/\(token)/"
  }

  /// Starts to record and to serve, and writes the address to standard error.
  ///
  /// It runs until ``stop()`` is called, even if it is not retained. Several can run at once.
  ///
  /// - Parameter port: The port of 127.0.0.1. 0 is any free one.
  /// - Throws: ``StartError`` if the port is taken, or no socket or thread is available.
  @discardableResult
  public static func start(port: UInt16 = 0) throws(StartError) -> StreamInspector {
    let (subscriptions, token) = (LiveSubscriptions(), Token())
    let server: PageServer
    do { server = try PageServer(port: port) } catch { throw StartError(description: "\(error)") }
    let desk = RequestDesk(port: server.port, token: token, snapshots: Snapshots(of: subscriptions))
    guard server.start(desk.response(to:)) else { throw StartError(description: "thread: none is available") }
    subscriptions.start()
    let inspector = StreamInspector(server, subscriptions, token: token)
    cthreads_report("Streams inspector: \(inspector.url)")
    return inspector
  }

  /// Stops recording, closes the port, and waits until the thread has ended. Stopping again has no effect.
  public func stop() {
    subscriptions.stop()
    server.stop()
  }
}
