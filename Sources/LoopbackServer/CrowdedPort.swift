package import Foundation

/// A port where nobody is let in and nobody is sent away: whoever connects waits, as long as this lives.
///
/// The line of those who are not accepted is filled up. Systems differ in what happens then; on Linux,
/// nothing.
package final class CrowdedPort: Sendable {
  package let port: UInt16
  private let listener: Socket
  private let crowd: [Socket]

  package init() throws {
    (listener, port) = try Socket.listening(backlog: 0)
    let alarm = try Alarm()
    var crowd: [Socket] = []
    repeat {
      crowd.append(try Socket.connecting(to: port))
    } while crowd.last!.wait(toWrite: true, alarm: alarm, timeout: .milliseconds(50)) == .ready
    self.crowd = crowd
  }

  package func url(_ path: String) -> URL {
    URL(string: "http://127.0.0.1:\(port)\(path)")!
  }
}
