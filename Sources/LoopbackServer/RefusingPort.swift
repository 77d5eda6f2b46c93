package import Foundation

/// A port that is taken but not listened at: whoever connects is refused, as long as this lives.
package final class RefusingPort: Sendable {
  package let port: UInt16
  private let socket: Socket

  package init() throws {
    (socket, port) = try Socket.bound()
  }

  package func url(_ path: String) -> URL {
    URL(string: "http://127.0.0.1:\(port)\(path)")!
  }
}
