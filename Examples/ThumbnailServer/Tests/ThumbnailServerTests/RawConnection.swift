import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// A client that sends any bytes.
final class RawConnection: Sendable {
  private let descriptor: Int32

  /// Connects to `http://127.0.0.1:PORT`. Reading waits at most half a minute.
  init(_ address: String) throws {
    guard let port = address.split(separator: ":").last.flatMap({ UInt16($0) }) else {
      throw CocoaError(.fileNoSuchFile)
    }
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var patience = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var target = sockaddr_in()
    target.sin_family = sa_family_t(AF_INET)
    target.sin_port = port.bigEndian
    target.sin_addr.s_addr = inet_addr("127.0.0.1")
    let connected = withUnsafePointer(to: &target) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else { throw CocoaError(.fileReadUnknown) }
  }

  deinit { close(descriptor) }

  func send(_ text: String) { _ = Glibc.send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL)) }

  /// Sends nothing more, as a client does that ends.
  func hangUp() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// The status of the next answer; `nil` if there is none.
  func status() -> Int? {
    var bytes = [UInt8](repeating: 0, count: 12)
    var count = 0
    while count < bytes.count {
      let got = bytes.withUnsafeMutableBytes {
        recv(descriptor, $0.baseAddress! + count, $0.count - count, 0)
      }
      guard got > 0 else { return nil }
      count += got
    }
    return Int(String(decoding: bytes.suffix(3), as: UTF8.self))
  }

  /// All that the server sends before it closes the connection.
  func rest() -> String {
    var text = ""
    var bytes = [UInt8](repeating: 0, count: 1024)
    while true {
      let got = recv(descriptor, &bytes, bytes.count, 0)
      if got <= 0 { return text }
      text += String(decoding: bytes.prefix(got), as: UTF8.self)
    }
  }

  /// Reads to the end. False if the server has not closed the connection by then.
  func isClosed() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 1024)
    while true {
      let got = recv(descriptor, &bytes, bytes.count, 0)
      if got <= 0 { return got == 0 || errno == ECONNRESET }
    }
  }
}

/// Lets this process open as many files as the system allows.
func raiseDescriptorLimit() {
  var limit = rlimit()
  getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  limit.rlim_cur = limit.rlim_max
  setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}
