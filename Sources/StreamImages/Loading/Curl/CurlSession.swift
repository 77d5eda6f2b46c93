import CTransport

/// All loads in progress. Confined to the loop's thread.
final class CurlSession {
  private let configuration: CurlLoader.Configuration
  @exclusivity(unchecked) private var exchanges: [ObjectIdentifier: CurlExchange] = [:]
  @exclusivity(unchecked) private var queue: ConnectionQueue<Origin, CurlExchange>
  @exclusivity(unchecked) private var records: [Origin: OriginRecord] = [:]
  private let events = LoopEvents()
  /// The number of running loads that may share a connection.
  @exclusivity(unchecked) private var sharingCount = 0
  /// The number of consecutive turns without any event.
  @exclusivity(unchecked) private var quietTurns = 0
  /// No deadline is earlier.
  @exclusivity(unchecked) private var nextDeadline: MonotonicInstant?
  /// Whether a connection was ended, and libcurl has not noticed it yet.
  @exclusivity(unchecked) private var hasBroken = false

  private typealias Width = ConnectionQueue<Origin, CurlExchange>.Width

  init(_ configuration: CurlLoader.Configuration) {
    self.configuration = configuration
    queue = ConnectionQueue(
      perKind: configuration.maximumConnectionsPerHost, overall: configuration.maximumConnections,
      isNewestFirst: configuration.order == .newestFirst)
  }

  /// libcurl's part, which the caller frees. `nil` if there can be none.
  static func makeHandle(_ configuration: CurlLoader.Configuration) -> OpaquePointer? {
    guard
      let handle = transport_session_make(
        Self.number(configuration.maximumConnections), configuration.multiplexes,
        Self.number(configuration.maximumConnectionsPerHost),
        Self.number(configuration.maximumStreamsPerConnection))
    else { return nil }
    guard configuration.settings.allSatisfy({ transport_session_add(handle, $0, $1) }) else {
      transport_session_free(handle)
      return nil
    }
    return handle
  }

  /// libcurl has 32 bits.
  private static func number(_ limit: Int) -> Int { max(1, Int(Int32(clamping: limit))) }

  var isIdle: Bool { exchanges.isEmpty }

  /// The longest time to sleep. libcurl 7.88 sometimes holds bytes for a load on a shared connection and waits for a
  /// socket that has nothing more to read. So it is polled a few times, less and less often.
  var pollInterval: Duration? {
    // What waits may begin with the next turn.
    if hasBroken { return .zero }
    return sharingCount > 0 && quietTurns < 3 ? .milliseconds([1, 10, 100][quietTurns]) : nil
  }

  func add(_ chain: RedirectChain, _ pipe: BodyPipe) {
    let exchange = CurlExchange(chain, pipe, events, configuration.addressPolicy)
    exchanges[ObjectIdentifier(pipe)] = exchange
    enqueue(exchange)
  }

  func resume(_ pipe: BodyPipe) { exchanges[ObjectIdentifier(pipe)]?.resume() }

  /// Moves a waiting load within the queue. A running one keeps its place, because libcurl cannot change a request that
  /// was sent.
  func prioritize(_ pipe: BodyPipe, _ priority: ImageRequest.Priority) {
    guard let exchange = exchanges[ObjectIdentifier(pipe)], exchange.priority != priority else { return }
    exchange.priority = priority
    guard !exchange.holdsPlace else { return }
    requeue(exchange, from: exchange.chain.origin)
  }

  /// Ends a load. Closes its connection before this returns, unless the response was complete or other loads share it.
  func remove(_ pipe: BodyPipe, finish failure: DataLoadingError?) {
    if let exchange = withdraw(pipe) { pipe.finish(failure.map(exchange.chain.failure)) }
  }

  private func withdraw(_ pipe: BodyPipe) -> CurlExchange? {
    guard let exchange = exchanges.removeValue(forKey: ObjectIdentifier(pipe)) else { return nil }
    dequeue(exchange, from: exchange.chain.origin)
    exchange.endHop()
    return exchange
  }

  func removeAll(_ failure: DataLoadingError) {
    for exchange in Array(exchanges.values) { remove(exchange.pipe, finish: failure) }
    events.drainMoved { _ in }
  }

  /// Does all work that needs no waiting, and returns the next deadline. Throws if libcurl cannot continue.
  func turn(_ handle: OpaquePointer) throws(DataLoadingError) -> MonotonicInstant? {
    // Otherwise libcurl would put loads onto the connection that was ended.
    var hasBegun = hasBroken ? false : admit(handle)
    hasBroken = false
    // Resuming a task takes longer than everything else here. So the next request is sent first, to a server that
    // would be idle otherwise. The body often follows the head immediately, too.
    defer { events.notifyConsumers() }
    for _ in 0..<3 {
      try perform(handle)
      quietTurns = events.isEmpty && !hasBegun ? quietTurns + 1 : 0
      hasBegun = admit(handle)
      guard hasBegun || (!events.isEmpty && !isIdle && transport_session_wait(handle, 0) > 0) else { break }
    }
    events.notifyConsumers()
    expire(handle)
    if !hasBroken { _ = admit(handle) }
    updateNextDeadline()
    return nextDeadline
  }

  private func perform(_ handle: OpaquePointer) throws(DataLoadingError) {
    events.turnBegan = .now
    guard transport_session_perform(handle) else { throw .unavailable("libcurl failed") }
    var outcome = transport_outcome.done
    while let context = transport_session_next_ended(handle, &outcome) {
      end(CurlExchange.at(context), outcome)
    }
    updateRecords()
  }

  /// - Returns: Whether a transfer was begun.
  private func admit(_ handle: OpaquePointer) -> Bool {
    var hasBegun = false
    while let exchange = queue.admit() {
      exchange.holdsPlace = true
      let origin = exchange.chain.origin
      let mayShare = mayShare(origin)
      if mayShare { sharingCount += 1 }
      do throws(DataLoadingError) {
        try exchange.begin(
          in: handle, with: configuration, mayShare: mayShare,
          waits: mayShare && records[origin]?.speaksHTTP2 != false,
          turn: mayShare ? queue.runningCount(of: origin) - 1 : 0, at: .now)
      } catch {
        remove(exchange.pipe, finish: error)
      }
      hasBegun = true
    }
    return hasBegun
  }

  private func end(_ exchange: CurlExchange, _ outcome: transport_outcome) {
    let origin = exchange.chain.origin
    let (isOver, error) = exchange.hopEnded(outcome)
    guard isOver, !(error.map { exchange.restarts(after: $0) } ?? false) else {
      return requeue(exchange, from: origin)
    }
    exchange.releaseHead()
    if withdraw(exchange.pipe) != nil { events.add(ended: exchange, error.map(exchange.chain.failure)) }
    if let error { failWaiting(at: origin, for: error, since: exchange.hop.attemptBeganAt) }
  }

  /// Fails the loads that wait for a connection to a host that is probably dead. Each would wait as long for one of its
  /// own, a few at a time.
  private func failWaiting(at origin: Origin, for error: DataLoadingError, since beganAt: MonotonicInstant) {
    guard error.isAboutConnecting, record(origin, { $0.failed(since: beganAt, at: .now) }) else { return }
    let others = exchanges.values.filter { $0.chain.origin == origin }
    guard !others.contains(where: \.hop.isSent) else { return }
    for exchange in others where !exchange.holdsPlace || exchange.hop.isWaitingForConnection {
      remove(exchange.pipe, finish: error)
    }
  }

  // MARK: Queue

  private func mayShare(_ origin: Origin) -> Bool { configuration.multiplexes && origin.scheme == "https" }

  private func enqueue(_ exchange: CurlExchange) {
    let origin = exchange.chain.origin
    exchange.ticket = queue.add(
      exchange, of: origin, priority: exchange.priority.rawValue, width: width(of: origin),
      ticket: exchange.ticket)
  }

  private func dequeue(_ exchange: CurlExchange, from origin: Origin) {
    if exchange.holdsPlace {
      queue.release(origin)
      if mayShare(origin) { sharingCount -= 1 }
    } else {
      queue.remove(exchange, of: origin)
    }
    exchange.holdsPlace = false
  }

  private func requeue(_ exchange: CurlExchange, from origin: Origin) {
    dequeue(exchange, from: origin)
    enqueue(exchange)
  }

  /// Loads that may share a connection wait inside libcurl for the first one, and for room when the server allows fewer
  /// streams. Until the server has chosen HTTP/1.1, libcurl makes one connection for them.
  private func width(of origin: Origin) -> Width {
    let record = records[origin]
    let isNew = record?.wasReached != true
    guard mayShare(origin), record?.speaksHTTP2 != false else {
      return Width(configuration.maximumConnectionsPerHost, isNew: isNew)
    }
    return Width(configuration.maximumStreamsPerConnection, isShared: true, isNew: isNew)
  }

  private func record<Result>(_ origin: Origin, _ change: (inout OriginRecord) -> Result) -> Result {
    // Bounded, because some programs load from many hosts once.
    if records.count >= 1024, records[origin] == nil { records = [:] }
    return change(&records[origin, default: OriginRecord()])
  }

  /// Adjusts how many loads may run, by what the servers have shown.
  private func updateRecords() {
    for (origin, isHTTP2) in events.takeOrigins() {
      let isNews = record(origin) { record in
        let before = (record.wasReached, record.speaksHTTP2)
        record.reached(at: .now)
        record.speaksHTTP2 = isHTTP2 ?? record.speaksHTTP2
        return before != (true, record.speaksHTTP2)
      }
      guard isNews else { continue }
      let width = width(of: origin)
      queue.setWidth(width, of: origin)
      withdraw(queue.runningCount(of: origin) - width.count, at: origin)
    }
  }

  /// Loads that wait inside libcurl, and are too many for HTTP/1.1, return to the queue, which keeps their order.
  private func withdraw(_ count: Int, at origin: Origin) {
    guard count > 0 else { return }
    let order = { (exchange: CurlExchange) in (exchange.priority.rawValue, -(exchange.ticket ?? 0)) }
    let waiting = exchanges.values.filter { $0.hop.isWaitingForConnection && $0.chain.origin == origin }
    for exchange in waiting.sorted(by: { order($0) < order($1) }).prefix(count) {
      exchange.withdraw()
      requeue(exchange, from: origin)
    }
  }

  // MARK: Time

  private func updateNextDeadline() {
    events.drainMoved { exchange in
      exchange.hasMoved = false
      guard let at = exchange.deadline?.at else { return }
      nextDeadline = min(nextDeadline ?? at, at)
    }
  }

  private func expire(_ handle: OpaquePointer) {
    // What had arrived by then was received. Bytes that came in time count, however long this thread was held up since.
    let now = events.turnBegan
    guard let at = nextDeadline, at <= now else { return }
    for connection in events.connections.values where connection.streamCount > 0 {
      let silence = transport_session_silence(handle, connection.number)
      if silence >= 0 { connection.heardAt = .now + .milliseconds(-silence) }
    }
    // Connections on which nothing has arrived for as long as a deadline allows, for any load.
    var silent: [Int64: Int] = [:]
    for exchange in exchanges.values {
      guard let deadline = exchange.deadline, deadline.at <= now else { continue }
      if exchange.hop.isDiscarding, deadline.phase == .idle {
        end(exchange, .stopped)
        continue
      }
      let origin = exchange.chain.origin
      var others = 0
      if let connection = exchange.connection, deadline.phase == .firstByte || deadline.phase == .idle {
        others = silent[connection.number] ?? connection.streamCount - 1
        silent[connection.number] = others
      }
      let error = DataLoadingError.timedOut(deadline.phase)
      if exchange.restarts(after: error, amongOthers: others) {
        exchange.withdraw()
        requeue(exchange, from: origin)
        continue
      }
      let beganAt = exchange.hop.attemptBeganAt
      remove(exchange.pipe, finish: error)
      failWaiting(at: origin, for: error, since: beganAt)
    }
    // No other load may use it. Those that do begin again, or report that it is lost.
    for number in silent.keys { transport_session_break(handle, number) }
    hasBroken = !silent.isEmpty
    nextDeadline = exchanges.values.lazy.compactMap { $0.deadline?.at }.min()
  }
}

extension DataLoadingError {
  /// Whether other loads that wanted to share the connection would have failed in the same way.
  fileprivate var isAboutConnecting: Bool {
    switch self {
    case .cannotResolve, .cannotConnect, .addressRefused, .tls, .connectionLost(.connect, _),
      .timedOut(.connect):
      true
    default: false
    }
  }
}

extension CurlExchange: Equatable {
  package static func == (left: CurlExchange, right: CurlExchange) -> Bool { left === right }
}
