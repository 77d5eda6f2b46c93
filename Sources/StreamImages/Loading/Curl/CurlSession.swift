import CTransport

/// All loads in progress. Confined to the loop's thread.
final class CurlSession {
  private let configuration: CurlLoader.Configuration
  @exclusivity(unchecked) private var exchanges: [ObjectIdentifier: CurlExchange] = [:]
  @exclusivity(unchecked) private var queue: ConnectionQueue<Lane, CurlExchange>
  @exclusivity(unchecked) private var records: [Origin: OriginRecord] = [:]
  private let events = LoopEvents()
  /// The number of running loads that may share a connection.
  @exclusivity(unchecked) private var sharingCount = 0
  /// The number of consecutive turns without any event.
  @exclusivity(unchecked) private var quietTurns = 0
  /// No deadline is earlier.
  @exclusivity(unchecked) private var nextDeadline: MonotonicInstant?
  /// When it was last looked for loads that starve.
  @exclusivity(unchecked) private var lookedAt = MonotonicInstant.now
  /// Whether a connection was ended, and libcurl has not noticed it yet.
  @exclusivity(unchecked) private var hasBroken = false

  private typealias Width = ConnectionQueue<Lane, CurlExchange>.Width

  /// Loads that wait for the same connections.
  private struct Lane: Hashable {
    let origin: Origin
    /// Whether they may share a connection.
    let mayShare: Bool
  }

  init(_ configuration: CurlLoader.Configuration) {
    self.configuration = configuration
    queue = ConnectionQueue(
      perKind: configuration.maximumConnectionsPerHost, overall: configuration.maximumConnections,
      isNewestFirst: configuration.order == .newestFirst)
  }

  var isIdle: Bool { exchanges.isEmpty }

  /// The longest time to sleep. libcurl 7.88 sometimes holds bytes for a load on a shared connection and waits for a
  /// socket that has nothing more to read. So it is polled a few times, less and less often.
  var pollInterval: Duration? {
    // What waits may begin with the next turn.
    if hasBroken { return .zero }
    guard sharingCount > 0, quietTurns < 3 else { return nil }
    return [.milliseconds(1), .milliseconds(10), .milliseconds(100)][quietTurns]
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
    dequeue(exchange, in: lane(of: exchange))
    enqueue(exchange)
  }

  /// Ends a load. Closes its connection before this returns, unless the response was complete or other loads share it.
  func remove(_ pipe: BodyPipe, finish failure: DataLoadingError?) {
    if let exchange = withdraw(pipe) { pipe.finish(failure.map(exchange.chain.failure)) }
  }

  private func withdraw(_ pipe: BodyPipe) -> CurlExchange? {
    guard let exchange = exchanges.removeValue(forKey: ObjectIdentifier(pipe)) else { return nil }
    dequeue(exchange, in: lane(of: exchange))
    exchange.endHop()
    return exchange
  }

  func removeAll(_ failure: DataLoadingError) {
    for exchange in Array(exchanges.values) { remove(exchange.pipe, finish: failure) }
    events.drainMoved { _ in }
  }

  /// Does all work that needs no waiting, and returns the next deadline.
  ///
  /// Throws if libcurl cannot continue.
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
      guard hasBegun || (!events.isEmpty && !isIdle && transport_session_has_more(handle)) else { break }
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
    updateWidths()
    updateWindows()
  }

  /// - Returns: Whether a transfer was begun.
  private func admit(_ handle: OpaquePointer) -> Bool {
    var hasBegun = false
    while let exchange = queue.admit() {
      exchange.holdsPlace = true
      let lane = lane(of: exchange)
      if lane.mayShare { sharingCount += 1 }
      do throws(DataLoadingError) {
        try exchange.begin(
          in: handle, with: configuration, mayShare: lane.mayShare,
          waits: lane.mayShare && records[lane.origin]?.speaksHTTP2 != false,
          turn: queue.runningCount(of: lane) - 1, at: .now)
      } catch {
        remove(exchange.pipe, finish: error)
      }
      hasBegun = true
    }
    return hasBegun
  }

  private func end(_ exchange: CurlExchange, _ outcome: transport_outcome) {
    let lane = lane(of: exchange)
    switch exchange.hopEnded(outcome) {
    case .done: retire(exchange, nil)
    case .failed(let error):
      if exchange.restarts(after: error) {
        dequeue(exchange, in: lane)
        return enqueue(exchange)
      }
      retire(exchange, error)
      failWaiting(in: lane, for: error, since: exchange.attemptBeganAt)
    case .again:
      dequeue(exchange, in: lane)
      enqueue(exchange)
    case .anotherHop:
      dequeue(exchange, in: lane)
      exchange.ticket = nil
      enqueue(exchange)
    }
  }

  private func retire(_ exchange: CurlExchange, _ failure: DataLoadingError?) {
    if withdraw(exchange.pipe) != nil { events.add(ended: exchange, failure.map(exchange.chain.failure)) }
  }

  /// Fails the loads that wait for a connection to a host that is probably dead. Each would wait as long for one of its
  /// own, a few at a time.
  private func failWaiting(in lane: Lane, for error: DataLoadingError, since beganAt: MonotonicInstant) {
    guard error.isAboutConnecting, record(lane.origin, { $0.failed(since: beganAt, at: .now) }) else {
      return
    }
    let others = exchanges.values.filter { self.lane(of: $0) == lane }
    guard !others.contains(where: \.isSent) else { return }
    for exchange in others where !exchange.holdsPlace || exchange.isWaitingForConnection {
      remove(exchange.pipe, finish: error)
    }
  }

  // MARK: Queue

  private func lane(of exchange: CurlExchange) -> Lane {
    let chain = exchange.chain
    let mayShare = configuration.multiplexes && chain.origin.scheme == "https"
    return Lane(origin: chain.origin, mayShare: mayShare)
  }

  private func enqueue(_ exchange: CurlExchange) {
    let lane = lane(of: exchange)
    exchange.ticket = queue.add(
      exchange, of: lane, priority: exchange.priority.rawValue, width: width(of: lane),
      ticket: exchange.ticket)
  }

  /// Until a server has responded, as many loads as may share a connection wait inside libcurl, which makes a few
  /// connections at most. Each counts towards the total, because it may need its own.
  private func width(of lane: Lane) -> Width {
    let record = records[lane.origin]
    guard lane.mayShare, record?.speaksHTTP2 != false else {
      return Width(configuration.maximumConnectionsPerHost)
    }
    let limits = [configuration.maximumStreamsPerConnection, record?.serverLimit, record?.window.limit]
    return Width(limits.compactMap(\.self).min()!, isShared: record?.speaksHTTP2 == true)
  }

  private func record<Result>(_ origin: Origin, _ change: (inout OriginRecord) -> Result) -> Result {
    // Bounded, because some programs load from many hosts once.
    if records.count >= 1024, records[origin] == nil { records = [:] }
    return change(&records[origin, default: OriginRecord()])
  }

  private func dequeue(_ exchange: CurlExchange, in lane: Lane) {
    if exchange.holdsPlace {
      queue.release(lane)
      if lane.mayShare { sharingCount -= 1 }
    } else {
      queue.remove(exchange, of: lane)
    }
    exchange.holdsPlace = false
  }

  /// Adjusts how many loads may run, by what the servers support.
  private func updateWidths() {
    guard let (reached, answered, connectingTo) = events.takeOrigins() else { return }
    for origin in reached { record(origin) { $0.reached(at: .now) } }
    for (origin, isHTTP2) in answered where records[origin]?.speaksHTTP2 != isHTTP2 {
      record(origin) { $0.speaksHTTP2 = isHTTP2 }
      updateWidth(Lane(origin: origin, mayShare: true))
    }
    for origin in connectingTo where records[origin]?.speaksHTTP2 == true {
      let lane = Lane(origin: origin, mayShare: true)
      let sent = exchanges.values.count { $0.holdsPlace && $0.isSent && self.lane(of: $0) == lane }
      // There is a connection, and it is full: the server allows this many streams.
      guard sent > 0 else { continue }
      record(origin) { $0.serverLimit = sent * configuration.maximumConnectionsPerHost }
      updateWidth(lane)
    }
  }

  /// Adjusts how many loads may run, by what the links carry.
  private func updateWindows() {
    let now = events.turnBegan
    guard sharingCount > 1, lookedAt + .milliseconds(100) <= now else { return }
    lookedAt = now
    for (origin, connections) in Dictionary(grouping: events.connections.values, by: \.origin) {
      let lane = Lane(origin: origin, mayShare: true)
      guard let record = records[origin], record.speaksHTTP2 == true else { continue }
      guard record.mayLook(at: now) else { continue }
      var sample = StreamWindow.Sample()
      for connection in connections { sample += connection.takeNews() }
      let sent = exchanges.values.filter { $0.isSent && self.lane(of: $0) == lane }
      let starving = sent.count { $0.isStarving(at: now, after: record.window.patience) }
      let limit = record.window.limit
      self.record(origin) {
        $0.look(
          at: sample, at: now, busySince: connections.map(\.busySince).min() ?? now,
          starvingCount: starving, streamCount: sent.count,
          maximum: configuration.maximumStreamsPerConnection)
      }
      guard limit != records[origin]?.window.limit else { continue }
      updateWidth(lane)
      if limit == nil { withdrawStarving(in: lane, sentCount: sent.count) }
    }
  }

  /// Loads that wait inside libcurl, and are too many now, return to the queue, which keeps their order.
  private func updateWidth(_ lane: Lane) {
    let width = width(of: lane)
    queue.setWidth(width, of: lane)
    withdraw(queue.runningCount(of: lane) - width.count, of: lane) { $0.isWaitingForConnection }
  }

  /// Loads that wait for others return to the queue if they would wait longer than servers do: nginx gives up a response of
  /// which it could send nothing for a minute. Only those, and only once, because a server sends some of a response although
  /// it was given up: nginx 8 KB.
  private func withdrawStarving(in lane: Lane, sentCount: Int) {
    guard let window = records[lane.origin]?.window else { return }
    let now = events.turnBegan
    // Half of the time, because the link becomes slower, or the server sends something else first.
    withdraw(sentCount - window.count(in: 30), of: lane) { $0.isStarving(at: now, after: .milliseconds(100)) }
  }

  /// The least urgent of a lane return to the queue.
  private func withdraw(_ count: Int, of lane: Lane, where mayWait: (CurlExchange) -> Bool) {
    guard count > 0 else { return }
    let order = { (exchange: CurlExchange) in (exchange.priority.rawValue, -(exchange.ticket ?? 0)) }
    let waiting = exchanges.values.filter { mayWait($0) && self.lane(of: $0) == lane }
    for exchange in waiting.sorted(by: { order($0) < order($1) }).prefix(count) {
      exchange.withdraw()
      dequeue(exchange, in: lane)
      enqueue(exchange)
    }
  }

  private func updateNextDeadline() {
    events.drainMoved { exchange in
      exchange.hasMoved = false
      guard let at = exchange.deadline?.at else { return }
      nextDeadline = min(nextDeadline ?? at, at)
    }
  }

  private func expire(_ handle: OpaquePointer) {
    let now = MonotonicInstant.now
    guard let at = nextDeadline, at <= now else { return }
    for connection in events.connections.values where connection.streamCount > 0 {
      let silence = transport_session_silence(handle, connection.number)
      if silence >= 0 { connection.heardAt = now + .milliseconds(-silence) }
    }
    // Connections on which nothing has arrived for as long as a deadline allows, for any load.
    var silent: [Int64: Int] = [:]
    for exchange in exchanges.values {
      guard let deadline = exchange.deadline, deadline.at <= now else { continue }
      let lane = lane(of: exchange)
      var others = 0
      if let connection = exchange.connection, deadline.phase == .firstByte || deadline.phase == .idle {
        others = silent[connection.number] ?? connection.streamCount - 1
        silent[connection.number] = others
      }
      if exchange.restarts(after: deadline.phase, amongOthers: others) {
        dequeue(exchange, in: lane)
        enqueue(exchange)
        continue
      }
      let beganAt = exchange.attemptBeganAt
      remove(exchange.pipe, finish: .timedOut(deadline.phase))
      failWaiting(in: lane, for: .timedOut(deadline.phase), since: beganAt)
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
