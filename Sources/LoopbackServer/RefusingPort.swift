package import Foundation
internal import LoopbackSockets

/// A port without a listener: connections to it are refused, for as long as this object exists.
package final class RefusingPort: Sendable {
  package let port: UInt16
  private let socket: Socket

  package init() throws { (socket, port) = try Socket.bound() }

  package func url(_ path: String) -> URL { URL(string: "http://127.0.0.1:\(port)\(path)")! }
}
