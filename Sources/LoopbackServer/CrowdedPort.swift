package import Foundation
internal import LoopbackSockets

/// A port whose backlog is full, for as long as this object exists. Connections to it neither succeed nor fail.
///
/// Systems differ in how they treat a full backlog; Linux does not respond.
package final class CrowdedPort: Sendable {
  package let port: UInt16
  private let listener: Socket
  private let connections: [Socket]

  package init() throws {
    (listener, port) = try Socket.listening(backlog: 0)
    let alarm = try Alarm()
    var connections: [Socket] = []
    repeat {
      connections.append(try Socket.connecting(to: port))
    } while connections.last!.wait(toWrite: true, alarm: alarm, timeout: .milliseconds(500)) == .ready
    self.connections = connections
  }

  package func url(_ path: String) -> URL {
    URL(string: "http://127.0.0.1:\(port)\(path)")!
  }
}
