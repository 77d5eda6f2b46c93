#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#elseif canImport(Darwin)
  import Darwin
#endif
internal import Streams

// The only file of this module that calls the system.

/// A system call that failed.
package struct SystemError: Error, CustomStringConvertible {
  package let call: String
  package let code: CInt

  package var description: String { "\(call): \(String(cString: strerror(code)))" }
}

/// A signal that is set once, for any number of waiting threads.
package final class Alarm: Sendable {
  private struct Pipe {
    var heard: CInt = -1
    var rung: CInt = -1
  }

  private let pipe = Guarded(Pipe())

  package init() throws {
    var ends: [CInt] = [-1, -1]
    guard makePipe(&ends) == 0 else { throw SystemError(call: "pipe", code: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let made = Pipe(heard: ends[0], rung: ends[1])
    pipe.withLock { $0 = made }
  }

  package func ring() {
    // The byte is never read, so the other end stays readable.
    pipe.withLock { pipe in _ = pipe.rung < 0 ? 0 : write(pipe.rung, [1], 1) }
  }

  /// Blocks the thread until it rings.
  package func wait() {
    var event = pollfd(fd: heard, events: Int16(POLLIN), revents: 0)
    _ = poll(&event, 1, -1)
  }

  /// Closes it. No thread may be waiting for it any more.
  package func close() {
    pipe.withLock { pipe in
      for end in [pipe.heard, pipe.rung] where end >= 0 { closeDescriptor(end) }
      pipe = Pipe()
    }
  }

  fileprivate var heard: CInt { pipe.withLock { $0.heard } }

  deinit { close() }
}

/// A non-blocking TCP socket over IPv4. All waiting is done by `poll`.
package final class Socket: Sendable {
  package enum Wait: Sendable {
    case ready
    case timedOut
    case gateOpened
    /// The other side has closed or reset the connection.
    case hungUp
    case stopped
  }

  private let descriptor: Guarded<CInt>

  private init(_ descriptor: CInt) {
    self.descriptor = Guarded(descriptor)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit { close() }

  package func close() {
    descriptor.withLock { descriptor in
      if descriptor >= 0 { closeDescriptor(descriptor) }
      descriptor = -1
    }
  }

  /// Closes its own direction.
  package func finishSending() { _ = shutdown(number, CInt(SHUT_WR)) }

  /// Closes with a reset.
  package func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(number, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    close()
  }

  /// - Parameter port: 0 for any free one.
  package static func listening(at port: UInt16 = 0, backlog: CInt = 512) throws -> (Socket, port: UInt16) {
    let (socket, port) = try bound(to: port)
    guard listen(socket.number, backlog) == 0 else { throw SystemError(call: "listen", code: errno) }
    return (socket, port)
  }

  /// Reserves a port without listening, so that connections are refused.
  package static func bound(to port: UInt16 = 0) throws -> (Socket, port: UInt16) {
    let socket = try fresh()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    var taken = loopback(port: port)
    // Earlier connections of it may linger.
    if port != 0 { setOption(of: socket.number, SOL_SOCKET, SO_REUSEADDR, 1) }
    let code = taken.withPointer { address in
      bind(socket.number, address, size) == 0 && getsockname(socket.number, address, &size) == 0 ? 0 : errno
    }
    guard code == 0 else { throw SystemError(call: "bind", code: code) }
    return (socket, UInt16(bigEndian: taken.sin_port))
  }

  /// Starts to connect. The socket is writable when it is connected.
  ///
  /// - Parameters:
  ///   - segmentByteCount: The largest segment. The usual one of loopback makes the sender buffer megabytes.
  ///   - bufferedByteCount: How many bytes the system receives before they are read.
  package static func connecting(
    to port: UInt16, segmentByteCount: CInt? = nil, bufferedByteCount: CInt? = nil
  ) throws -> Socket {
    let socket = try fresh()
    if let segmentByteCount { setOption(of: socket.number, CInt(IPPROTO_TCP), TCP_MAXSEG, segmentByteCount) }
    if let bufferedByteCount { setOption(of: socket.number, SOL_SOCKET, SO_RCVBUF, bufferedByteCount) }
    var target = loopback(port: port)
    let code = target.withPointer { address in
      connect(socket.number, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 ? 0 : errno
    }
    guard code == 0 || code == EINPROGRESS else { throw SystemError(call: "connect", code: code) }
    return socket
  }

  private static func fresh() throws -> Socket {
    let descriptor = socket(AF_INET, streamType, 0)
    guard descriptor >= 0 else { throw SystemError(call: "socket", code: errno) }
    return Socket(descriptor)
  }

  private static func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    return address
  }

  /// Returns `nil` once the alarm is set.
  package func accept(until alarm: Alarm) -> Socket? {
    while wait(toRead: true, alarm: alarm) != .stopped {
      let accepted = acceptConnection(number)
      guard accepted >= 0 else {
        // There may be no descriptor left, and the connection still waits.
        _ = wait(alarm: alarm, timeout: .milliseconds(100))
        continue
      }
      setOption(of: accepted, CInt(IPPROTO_TCP), TCP_NODELAY, 1)
      // Small, so that the bytes sent and received are close together.
      setOption(of: accepted, SOL_SOCKET, SO_SNDBUF, 64 << 10)
      return Socket(accepted)
    }
    return nil
  }

  /// Returns the bytes received; `nil` if there are none yet, empty at the end.
  package func receive(atMost count: Int = 16 << 10) -> [UInt8]? {
    var failed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      let got = recv(number, buffer.baseAddress!, buffer.count, 0)
      failed = got < 0 && (errno == EAGAIN || errno == EINTR)
      filled = max(0, got)
    }
    return failed ? nil : bytes
  }

  /// Returns the number of bytes accepted; `nil` if the connection is broken.
  package func send(_ bytes: UnsafeRawBufferPointer) -> Int? {
    let sent = sendQuietly(number, bytes)
    if sent >= 0 { return sent }
    return errno == EAGAIN || errno == EINTR ? 0 : nil
  }

  /// Waits until the socket is writable or readable, or neither, and for the other side, a gate and the alarm.
  package func wait(
    toRead: Bool = false, toWrite: Bool = false, alarm: Alarm, gate: Alarm? = nil, timeout: Duration? = nil
  ) -> Wait {
    let end = timeout.map { ContinuousClock.now + $0 }
    while true {
      let events = hangUpEvents | (toRead ? Int16(POLLIN) : 0) | (toWrite ? Int16(POLLOUT) : 0)
      var polled = [
        pollfd(fd: alarm.heard, events: Int16(POLLIN), revents: 0),
        pollfd(fd: number, events: events, revents: 0),
      ]
      if let gate { polled.append(pollfd(fd: gate.heard, events: Int16(POLLIN), revents: 0)) }
      let count = poll(&polled, nfds_t(polled.count), Self.milliseconds(until: end))
      if count < 0, errno == EINTR { continue }
      if polled[0].revents != 0 { return .stopped }
      if polled.count > 2, polled[2].revents != 0 { return .gateOpened }
      let happened = polled[1].revents
      if toRead, happened & Int16(POLLIN) != 0 { return .ready }
      if happened & (hangUpEvents | Int16(POLLHUP) | Int16(POLLERR) | Int16(POLLNVAL)) != 0 { return .hungUp }
      if toWrite, happened & Int16(POLLOUT) != 0 { return .ready }
      if let end, end <= .now { return .timedOut }
    }
  }

  /// Accepts a connection if one waits.
  package func acceptWaiting() -> Socket? {
    let accepted = acceptConnection(number)
    return accepted < 0 ? nil : Socket(accepted)
  }

  /// Waits for any of several sockets.
  ///
  /// - Parameter awaited: What is waited for. A socket for which neither is true is left out.
  /// - Returns: The indices of the sockets that are ready or have failed; `nil` once the alarm is set.
  package static func wait(
    for awaited: [(socket: Socket, toRead: Bool, toWrite: Bool)], alarm: Alarm, timeout: Duration
  ) -> [Int]? {
    var polled = [pollfd(fd: alarm.heard, events: Int16(POLLIN), revents: 0)]
    for (socket, toRead, toWrite) in awaited {
      let events = (toRead ? Int16(POLLIN) : 0) | (toWrite ? Int16(POLLOUT) : 0)
      // A socket without events would report for ever that it has hung up.
      polled.append(pollfd(fd: events == 0 ? -1 : socket.number, events: events, revents: 0))
    }
    poll(&polled, nfds_t(polled.count), milliseconds(until: .now + timeout))
    if polled[0].revents != 0 { return nil }
    return awaited.indices.filter { polled[$0 + 1].revents != 0 }
  }

  private var number: CInt { descriptor.withLock { $0 } }

  private static func milliseconds(until end: ContinuousClock.Instant?) -> CInt {
    guard let end else { return -1 }
    let (seconds, attoseconds) = ContinuousClock.now.duration(to: end).components
    return max(0, CInt(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1))
  }
}

extension sockaddr_in {
  fileprivate mutating func withPointer<Result>(_ body: (UnsafeMutablePointer<sockaddr>) -> Result) -> Result
  {
    withUnsafeMutablePointer(to: &self) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
    }
  }
}

// Methods of these names hide the system calls.
private func closeDescriptor(_ descriptor: CInt) { close(descriptor) }

private func makePipe(_ ends: inout [CInt]) -> CInt { pipe(&ends) }

private func setOption(of descriptor: CInt, _ level: CInt, _ name: CInt, _ value: CInt) {
  withUnsafePointer(to: value) { value in
    _ = setsockopt(descriptor, level, name, value, socklen_t(MemoryLayout<CInt>.size))
  }
}

private func acceptConnection(_ listener: CInt) -> CInt { accept(listener, nil, nil) }

#if canImport(Darwin)
  private let streamType = SOCK_STREAM
  private let hangUpEvents: Int16 = 0

  private func sendQuietly(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
    setOption(of: descriptor, SOL_SOCKET, SO_NOSIGPIPE, 1)
    return send(descriptor, bytes.baseAddress, bytes.count, 0)
  }
#else
  #if canImport(Glibc)
    private let streamType = CInt(SOCK_STREAM.rawValue)
  #else
    private let streamType = SOCK_STREAM
  #endif
  // POLLRDHUP, which is hidden behind a macro.
  private let hangUpEvents: Int16 = 0x2000

  private func sendQuietly(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
    send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL))
  }
#endif
