import CTransport
import Foundation
import StreamImages

/// A load whose callbacks a test calls in place of libcurl. Nothing is sent, and time is the test's where it is passed in.
final class ScriptedExchange {
  let source = CountingSource()
  let events = LoopEvents()
  let pipe: BodyPipe
  let start = MonotonicInstant.now
  let exchange: CurlExchange
  private let session = transport_session_make(4, true, 2, 100)!

  init(
    _ url: String = "https://a.example/x", _ method: DataRequest.Method = .get, buffered: Int = 1 << 30,
    policy: AddressPolicy = .any, _ configure: (inout DataRequest, inout LoadLimits) -> Void = { _, _ in }
  ) throws {
    var request = DataRequest(url: URL(string: url)!, method: method)
    var limits = LoadLimits()
    (limits.connectTimeout, limits.firstByteTimeout) = (.seconds(3), .seconds(5))
    (limits.idleTimeout, limits.totalTimeout) = (.seconds(7), .seconds(60))
    configure(&request, &limits)
    pipe = BodyPipe(of: source, bufferedByteCount: buffered)
    exchange = CurlExchange(try RedirectChain(request, limits: limits), pipe, events, policy)
  }

  deinit {
    exchange.endHop()
    transport_session_free(session)
  }

  /// A load whose request was sent.
  static func sent(
    _ url: String = "https://a.example/x", _ method: DataRequest.Method = .get, mayShare: Bool = false,
    buffered: Int = 1 << 30, _ configure: (inout DataRequest, inout LoadLimits) -> Void = { _, _ in }
  ) throws -> ScriptedExchange {
    let load = try ScriptedExchange(url, method, buffered: buffered, configure)
    try load.begin(mayShare: mayShare)
    load.send()
    return load
  }

  func begin(
    mayShare: Bool = false, waits: Bool = false, turn: Int = 0, at now: MonotonicInstant? = nil
  ) throws {
    var configuration = CurlLoader.Configuration()
    configuration.proxy = .none
    try exchange.begin(
      in: session, with: configuration, mayShare: mayShare, waits: waits, turn: turn, at: now ?? start)
  }

  /// Seconds after the start.
  func at(_ seconds: Double) -> MonotonicInstant { start + .seconds(seconds) }

  func connect(_ address: [UInt8] = [192, 0, 2, 1]) -> Bool {
    let callbacks = exchange.callbacks
    return callbacks.may_connect(callbacks.context, address, address.count, 443)
  }

  @discardableResult func send(on connection: Int64 = 1) -> Bool { sending(on: connection) == .go }

  func sending(on connection: Int64, hasUnread: Bool = false) -> transport_sending {
    let callbacks = exchange.callbacks
    return callbacks.will_send(callbacks.context, connection, hasUnread)
  }

  func line(_ text: String) -> Bool {
    let callbacks = exchange.callbacks
    return (text + "\r\n").withCString { callbacks.head_line(callbacks.context, $0, text.utf8.count + 2) }
  }

  /// The answer to the last line, which is empty.
  @discardableResult func head(_ lines: String...) -> Bool {
    for text in lines where !line(text) { return false }
    return line("")
  }

  @discardableResult func body(_ count: Int, at now: MonotonicInstant? = nil) -> Bool {
    let callbacks = exchange.callbacks
    if let now { events.turnBegan = now }
    return [UInt8](repeating: 7, count: count).withUnsafeBufferPointer {
      callbacks.body(callbacks.context, $0.baseAddress, $0.count)
    }
  }

  /// The error with which a hop ends; `nil` if it ends well.
  func end(_ outcome: transport_outcome = .done, releasesHead: Bool = true) -> DataLoadingError? {
    defer { if releasesHead { exchange.releaseHead() } }
    let chain = exchange.chain
    let (isOver, error) = exchange.hopEnded(outcome)
    return isOver ? error : .unavailable(exchange.chain === chain ? "again" : "another hop")
  }

  /// The next deadline in seconds after the start, if the stage has one of its own.
  var deadline: Duration? { exchange.deadline.map { start.duration(to: $0.at) } }
  var phase: DataLoadingError.Phase? { exchange.deadline?.phase }
  var wholeEnd: Duration? { exchange.end.map { start.duration(to: $0) } }
}
