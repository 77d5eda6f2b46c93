import CTransport

/// All loads in progress. Belongs to the thread of the loop.
final class CurlSession {
  private let configuration: CurlLoader.Configuration
  @exclusivity(unchecked) private var exchanges: [ObjectIdentifier: CurlExchange] = [:]
  @exclusivity(unchecked) private var line: WaitingLine<Lane, CurlExchange>
  /// Which origins answered over HTTP/2, and which did not.
  @exclusivity(unchecked) private var speaksHTTP2: [Origin: Bool] = [:]
  private let news = LoopNews()
  /// How many run that may share a connection.
  @exclusivity(unchecked) private var sharingCount = 0
  /// How many turns brought nothing, one after the other.
  @exclusivity(unchecked) private var quietTurns = 0
  /// No deadline comes before this.
  @exclusivity(unchecked) private var lookAgainAt: Moment?

  private typealias Width = WaitingLine<Lane, CurlExchange>.Width

  /// Loads that wait for the same.
  private struct Lane: Hashable {
    let origin: Origin
    /// Whether they may share a connection.
    let mayShare: Bool
  }

  init(_ configuration: CurlLoader.Configuration) {
    self.configuration = configuration
    line = WaitingLine(
      perKind: configuration.maximumConnectionsPerHost, overall: configuration.maximumConnections,
      isNewestFirst: configuration.order == .newestFirst)
  }

  var isIdle: Bool { exchanges.isEmpty }

  /// How long to sleep at most. libcurl 7.88 sometimes keeps something for one of those who share a connection, and waits
  /// for a socket that has nothing more to say: so it is asked again, a few times less and less often.
  var nap: Duration? {
    guard sharingCount > 0, quietTurns < 3 else { return nil }
    return [.milliseconds(1), .milliseconds(10), .milliseconds(100)][quietTurns]
  }

  func add(_ journey: Journey, _ pipe: BodyPipe) {
    let exchange = CurlExchange(journey, pipe, news, configuration.addressPolicy)
    exchanges[ObjectIdentifier(pipe)] = exchange
    enterLine(exchange)
  }

  func goOn(_ pipe: BodyPipe) { exchanges[ObjectIdentifier(pipe)]?.goOn() }

  /// Ends a load: its connection is closed, unless the answer was complete, before this returns.
  func remove(_ pipe: BodyPipe, finish failure: DataLoadingError?) {
    if withdraw(pipe) != nil { pipe.finish(failure) }
  }

  private func withdraw(_ pipe: BodyPipe) -> CurlExchange? {
    guard let exchange = exchanges.removeValue(forKey: ObjectIdentifier(pipe)) else { return nil }
    leaveLine(exchange, in: lane(of: exchange))
    exchange.endHop()
    return exchange
  }

  func removeAll(_ failure: DataLoadingError) {
    for exchange in Array(exchanges.values) { remove(exchange.pipe, finish: failure) }
    news.lookAtMoved { _ in }
  }

  /// Does what can be done without waiting, and answers when there is something to do again at the latest.
  ///
  /// Throws when libcurl cannot go on.
  func turn(_ handle: OpaquePointer) throws(DataLoadingError) -> Moment? {
    var hasBegun = admit(handle)
    // Waking somebody takes longer than all else here. First the next request goes out, to a server that would be idle;
    // and a head is often followed by its body at once.
    defer { news.tell() }
    for _ in 0..<3 {
      try perform(handle)
      quietTurns = news.isEmpty && !hasBegun ? quietTurns + 1 : 0
      hasBegun = admit(handle)
      guard hasBegun || (!news.isEmpty && !isIdle && transport_session_has_more(handle)) else { break }
    }
    news.tell()
    expire()
    _ = admit(handle)
    noteDeadlines()
    return lookAgainAt
  }

  private func perform(_ handle: OpaquePointer) throws(DataLoadingError) {
    news.turnBegan = .now
    guard transport_session_perform(handle) else { throw .unavailable("libcurl failed") }
    var outcome = transport_outcome.done
    while let context = transport_session_next_ended(handle, &outcome) {
      end(CurlExchange.at(context), outcome)
    }
    learn()
  }

  /// - Returns: Whether a transfer was begun.
  private func admit(_ handle: OpaquePointer) -> Bool {
    var hasBegun = false
    while let exchange = line.admit() {
      exchange.holdsPlace = true
      let lane = lane(of: exchange)
      if lane.mayShare { sharingCount += 1 }
      do throws(DataLoadingError) {
        try exchange.begin(
          in: handle, with: configuration, mayShare: lane.mayShare,
          waits: lane.mayShare && speaksHTTP2[lane.origin] != false,
          isFirst: line.runningCount(of: lane) == 1, at: .now)
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
        leaveLine(exchange, in: lane)
        return enterLine(exchange)
      }
      retire(exchange, error)
      failWaiting(in: lane, for: error)
    case .anotherHop:
      leaveLine(exchange, in: lane)
      exchange.ticket = nil
      enterLine(exchange)
    }
  }

  private func retire(_ exchange: CurlExchange, _ failure: DataLoadingError?) {
    if withdraw(exchange.pipe) != nil { news.add(ended: exchange, failure) }
  }

  /// Those that wait for the connection that could not be made: each would wait for one of its own, as long.
  private func failWaiting(in lane: Lane, for error: DataLoadingError) {
    guard lane.mayShare, error.isAboutConnecting else { return }
    for exchange in exchanges.values where exchange.isWaitingForConnection && self.lane(of: exchange) == lane
    {
      remove(exchange.pipe, finish: error)
    }
  }

  // MARK: The line

  private func lane(of exchange: CurlExchange) -> Lane {
    let journey = exchange.journey
    let mayShare = configuration.multiplexes && journey.origin.scheme == "https"
    return Lane(origin: journey.origin, mayShare: mayShare)
  }

  private func enterLine(_ exchange: CurlExchange) {
    let lane = lane(of: exchange)
    exchange.ticket = line.add(
      exchange, of: lane, urgency: exchange.journey.request.priority.rawValue, width: width(of: lane),
      ticket: exchange.ticket)
  }

  /// Before a server has answered, as many as may share wait inside libcurl, which makes a few connections at most. Each
  /// counts among all, as it may need one.
  private func width(of lane: Lane) -> Width {
    let speaksHTTP2 = speaksHTTP2[lane.origin]
    return lane.mayShare && speaksHTTP2 != false
      ? Width(configuration.maximumStreamsPerConnection, isShared: speaksHTTP2 == true)
      : Width(configuration.maximumConnectionsPerHost)
  }

  private func leaveLine(_ exchange: CurlExchange, in lane: Lane) {
    if exchange.holdsPlace {
      line.release(lane)
      if lane.mayShare { sharingCount -= 1 }
    } else {
      line.remove(exchange, of: lane)
    }
    exchange.holdsPlace = false
  }

  /// Lets as many go out to a server as it takes.
  private func learn() {
    guard let (answered, connectingTo) = news.takeOrigins() else { return }
    for (origin, isHTTP2) in answered where speaksHTTP2[origin] != isHTTP2 {
      // Not for ever: some programs ask many hosts, each once.
      if speaksHTTP2.count >= 1024 { speaksHTTP2 = [:] }
      speaksHTTP2[origin] = isHTTP2
      let lane = Lane(origin: origin, mayShare: true)
      setWidth(width(of: lane), of: lane)
    }
    for origin in connectingTo where speaksHTTP2[origin] == true {
      let lane = Lane(origin: origin, mayShare: true)
      let sent = exchanges.values.count { $0.holdsPlace && $0.isSent && self.lane(of: $0) == lane }
      // If there is a connection, it is full: the server lets so many share one.
      guard sent > 0 else { continue }
      let count = min(
        configuration.maximumStreamsPerConnection, sent * configuration.maximumConnectionsPerHost)
      setWidth(Width(count, isShared: true), of: lane)
    }
  }

  /// Those that wait inside libcurl, and are too many now, go back into the line: there they are served in order.
  private func setWidth(_ width: Width, of lane: Lane) {
    line.setWidth(width, of: lane)
    let surplus = line.runningCount(of: lane) - width.count
    guard surplus > 0 else { return }
    let waiting = exchanges.values.filter { $0.isWaitingForConnection && self.lane(of: $0) == lane }
    for exchange in waiting.sorted(by: { ($0.ticket ?? 0) > ($1.ticket ?? 0) }).prefix(surplus) {
      exchange.withdraw()
      leaveLine(exchange, in: lane)
      enterLine(exchange)
    }
  }

  private func noteDeadlines() {
    news.lookAtMoved { exchange in
      exchange.hasMoved = false
      guard let at = exchange.deadline?.at else { return }
      lookAgainAt = min(lookAgainAt ?? at, at)
    }
  }

  private func expire() {
    let now = Moment.now
    guard let at = lookAgainAt, at <= now else { return }
    for exchange in exchanges.values {
      guard let deadline = exchange.deadline, deadline.at <= now else { continue }
      let lane = lane(of: exchange)
      remove(exchange.pipe, finish: .timedOut(deadline.phase))
      failWaiting(in: lane, for: .timedOut(deadline.phase))
    }
    lookAgainAt = exchanges.values.lazy.compactMap { $0.deadline?.at }.min()
  }
}

extension DataLoadingError {
  /// Whether it would have been the same for others who wanted to share the connection.
  fileprivate var isAboutConnecting: Bool {
    switch self {
    case .cannotResolve, .cannotConnect, .addressRefused, .tls, .connectionLost(.connect, _),
      .timedOut(.connect):
      true
    default: false
    }
  }
}
