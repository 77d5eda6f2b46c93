import Foundation

// With Mailbox.swift, the place that talks to the system.

/// A connection of TCP that never blocks: all waiting is done by ``wait(toRead:toWrite:for:upTo:)``.
final class Wire: Sendable {
  enum Wait: Sendable {
    case ready
    /// The bell rang.
    case rung
    /// The other side has closed, or is gone.
    case hungUp
    case timedOut
  }

  private let descriptor: Int32

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var yes: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
  }

  deinit { close(descriptor) }

  /// What has come; `nil` if nothing has, empty at the end.
  func receive() -> [UInt8]? {
    var isQuiet = false
    let bytes = [UInt8](unsafeUninitializedCapacity: 16 << 10) { buffer, count in
      let received = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      isQuiet = received < 0 && (errno == EAGAIN || errno == EINTR)
      count = max(0, received)
    }
    return isQuiet ? nil : bytes
  }

  /// How many bytes were taken; `nil` if the other side is gone.
  func send(_ bytes: UnsafeRawBufferPointer) -> Int? {
    let sent = Foundation.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    if sent >= 0 { return sent }
    return errno == EAGAIN || errno == EINTR ? 0 : nil
  }

  /// Waits for something to read, for room to write, or for neither; for a bell; and for the other side to leave.
  func wait(
    toRead: Bool = false, toWrite: Bool = false, for bell: Bell? = nil, upTo limit: Duration? = nil
  ) -> Wait {
    let hangUp: Int16 = 0x2000  // POLLRDHUP, which needs a macro to be seen
    let end = limit.map { ContinuousClock.now + $0 }
    while true {
      let events = hangUp | (toRead ? Int16(POLLIN) : 0) | (toWrite ? Int16(POLLOUT) : 0)
      // A negative descriptor is left out.
      var polled = [
        pollfd(fd: descriptor, events: events, revents: 0),
        pollfd(fd: bell?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&polled, nfds_t(polled.count), milliseconds(until: end))
      if count < 0, errno == EINTR { continue }
      let happened = polled[0].revents
      if toRead, happened & Int16(POLLIN) != 0 { return .ready }
      if happened & (hangUp | Int16(POLLHUP) | Int16(POLLERR) | Int16(POLLNVAL)) != 0 { return .hungUp }
      if polled[1].revents != 0 { return .rung }
      if toWrite, happened & Int16(POLLOUT) != 0 { return .ready }
      if let end, end <= .now { return .timedOut }
    }
  }

  private func milliseconds(until end: ContinuousClock.Instant?) -> Int32 {
    guard let end else { return -1 }
    return Int32(
      clamping: max(0, Int((ContinuousClock.now.duration(to: end) / .milliseconds(1)).rounded(.up))))
  }
}

/// A port of this machine, for programs on this machine.
final class Listener: Sendable {
  struct Failure: Error, CustomStringConvertible {
    let port: UInt16
    let code: Int32

    var description: String {
      code == EADDRINUSE
        ? "port \(port) is taken; --port 0 finds one that is free"
        : "cannot listen at port \(port): \(String(cString: strerror(code)))"
    }
  }

  let port: UInt16
  private let descriptor: Int32

  /// - Parameter port: 0 for any that is free.
  init(port: UInt16) throws(Failure) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var (yes, size): (Int32, socklen_t) = (1, socklen_t(MemoryLayout<sockaddr_in>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    let descriptor = descriptor
    let isListening = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, size) == 0 && listen(descriptor, 256) == 0
          && getsockname(descriptor, address, &size) == 0
      }
    }
    self.port = UInt16(bigEndian: address.sin_port)
    guard isListening else {
      let code = errno
      close(descriptor)
      throw Failure(port: port, code: code)
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  /// Waits for a connection.
  func accept() -> Wire {
    while true {
      let accepted = Foundation.accept(descriptor, nil, nil)
      if accepted >= 0 { return Wire(accepted) }
      // Out of descriptors, for example: one of those that are open has to go first.
      usleep(10_000)
    }
  }
}
