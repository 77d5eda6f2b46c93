internal import CThreads
internal import LoopbackSockets
internal import Streams
internal import Synchronization

/// Receives requests and sends responses, on one thread and one connection for each, so no visitor holds up another.
final class PageServer: Sendable {
  typealias Answer = @Sendable (RequestHead?) -> Response

  static let maximumVisitorCount = 32

  let port: UInt16
  private let listener: Socket
  private let alarm: Alarm
  private let ended: Alarm
  /// The thread that serves, as `cthreads_current` returns it.
  private let thread = Atomic<UInt>(0)

  init(port: UInt16) throws {
    alarm = try Alarm()
    ended = try Alarm()
    (listener, self.port) = try Socket.listening(at: port)
  }

  /// Returns false if there is no thread. Until the server is stopped, its thread retains it.
  func start(_ answer: @escaping Answer) -> Bool {
    let work = Unmanaged.passRetained(Work(server: self, answer: answer))
    let hasStarted = cthreads_start(
      { argument in
        let work = Unmanaged<Work>.fromOpaque(argument!).takeRetainedValue()
        work.server.serve(work.answer)
      }, work.toOpaque())
    if hasStarted == 0 { work.release() }
    return hasStarted != 0
  }

  /// Closes everything. Waits for the thread, unless that is the calling one.
  func stop() {
    alarm.ring()
    if thread.load(ordering: .relaxed) == cthreads_current() { return }
    while Socket.wait(for: [], alarm: ended, timeout: .seconds(60)) != nil {}
  }

  private func serve(_ answer: Answer) {
    thread.store(cthreads_current(), ordering: .relaxed)
    var (visitors, isAccepting): ([Visitor], Bool) = ([], true)
    while true {
      let awaited =
        [(socket: listener, toRead: isAccepting, toWrite: false)]
        + visitors.map { ($0.socket, !$0.isSending, $0.isSending) }
      let patience: Duration =
        !isAccepting ? .milliseconds(100) : visitors.isEmpty ? .seconds(600) : .seconds(1)
      guard let ready = Socket.wait(for: awaited, alarm: alarm, timeout: patience) else { break }
      for index in ready where index > 0 { visitors[index - 1].proceed(answer) }
      let now = ContinuousClock.now
      visitors.removeAll { $0.isOver || $0.deadline < now }
      isAccepting = true
      guard ready.first == 0 else { continue }
      if let socket = listener.acceptWaiting() {
        if visitors.count == Self.maximumVisitorCount { visitors.removeFirst() }
        visitors.append(Visitor(socket))
      } else {
        isAccepting = false  // there may be no descriptor left
      }
    }
    visitors = []
    listener.close()
    thread.store(0, ordering: .relaxed)
    ended.ring()
  }
}

extension PageServer: Reflected {}

/// What the thread receives.
private final class Work: Sendable {
  let server: PageServer
  let answer: PageServer.Answer

  init(server: PageServer, answer: @escaping PageServer.Answer) {
    (self.server, self.answer) = (server, answer)
  }
}

/// A connection with one request and one response. It is closed when its socket is released.
private struct Visitor {
  let socket: Socket
  private(set) var deadline = ContinuousClock.now + .seconds(5)
  private(set) var isOver = false
  private var incoming: [UInt8] = []
  private var outgoing: ArraySlice<UInt8> = []

  init(_ socket: Socket) { self.socket = socket }

  var isSending: Bool { !outgoing.isEmpty }

  /// Reads or writes as much as is possible without waiting.
  mutating func proceed(_ answer: PageServer.Answer) {
    if isSending { return send() }
    guard let bytes = socket.receive() else { return }
    incoming += bytes
    if bytes.isEmpty {
      isOver = true
    } else if incoming.firstRange(of: [13, 10, 13, 10]) != nil
      || incoming.count > RequestHead.maximumByteCount
    {
      outgoing = answer(RequestHead(incoming)).bytes[...]
      deadline = .now + .seconds(10)
      send()
    }
  }

  private mutating func send() {
    guard let count = outgoing.withUnsafeBytes(socket.send) else {
      isOver = true
      return
    }
    outgoing.removeFirst(count)
    guard outgoing.isEmpty else { return }
    isOver = true
    // A close with unread bytes is a reset, which can overtake the response.
    for _ in 0..<16 where socket.receive()?.isEmpty == false {}
  }
}
