import CTransport

/// All loads in progress. Belongs to the thread of the loop.
final class CurlSession {
  private let configuration: CurlLoader.Configuration
  @exclusivity(unchecked) private var exchanges: [ObjectIdentifier: CurlExchange] = [:]
  @exclusivity(unchecked) private var line: WaitingLine<Origin, CurlExchange>
  private let news = LoopNews()
  /// No deadline comes before this.
  @exclusivity(unchecked) private var lookAgainAt: Moment?

  init(_ configuration: CurlLoader.Configuration) {
    self.configuration = configuration
    line = WaitingLine(
      perKind: configuration.maximumConnectionsPerHost, overall: configuration.maximumConnections,
      isNewestFirst: configuration.order == .newestFirst)
  }

  var isIdle: Bool { exchanges.isEmpty }

  func add(_ journey: Journey, _ pipe: BodyPipe) {
    let exchange = CurlExchange(journey, pipe, news, configuration.addressPolicy)
    exchanges[ObjectIdentifier(pipe)] = exchange
    line.add(exchange, of: journey.origin)
  }

  func goOn(_ pipe: BodyPipe) { exchanges[ObjectIdentifier(pipe)]?.goOn() }

  /// Ends a load: its connection is closed, unless the answer was complete, before this returns.
  func remove(_ pipe: BodyPipe, finish failure: DataLoadingError?) {
    if withdraw(pipe) != nil { pipe.finish(failure) }
  }

  private func withdraw(_ pipe: BodyPipe) -> CurlExchange? {
    guard let exchange = exchanges.removeValue(forKey: ObjectIdentifier(pipe)) else { return nil }
    leaveLine(exchange, at: exchange.journey.origin)
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
    _ = admit(handle)
    // Waking somebody takes longer than all else here. First the next request goes out, to a server that would be idle;
    // and a head is often followed by its body at once.
    defer { news.tell() }
    for _ in 0..<3 {
      try perform(handle)
      let hasBegun = admit(handle)
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
  }

  /// - Returns: Whether a transfer was begun.
  private func admit(_ handle: OpaquePointer) -> Bool {
    var hasBegun = false
    while let exchange = line.admit() {
      exchange.holdsPlace = true
      do throws(DataLoadingError) {
        try exchange.begin(in: handle, with: configuration, at: .now)
      } catch {
        remove(exchange.pipe, finish: error)
      }
      hasBegun = true
    }
    return hasBegun
  }

  private func end(_ exchange: CurlExchange, _ outcome: transport_outcome) {
    let origin = exchange.journey.origin
    switch exchange.hopEnded(outcome) {
    case .done: retire(exchange, nil)
    case .failed(let error): retire(exchange, error)
    case .anotherHop:
      leaveLine(exchange, at: origin)
      line.add(exchange, of: exchange.journey.origin)
    }
  }

  private func retire(_ exchange: CurlExchange, _ failure: DataLoadingError?) {
    if withdraw(exchange.pipe) != nil { news.add(ended: exchange, failure) }
  }

  private func leaveLine(_ exchange: CurlExchange, at origin: Origin) {
    if exchange.holdsPlace {
      line.release(origin)
    } else {
      line.remove(exchange, of: origin)
    }
    exchange.holdsPlace = false
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
      remove(exchange.pipe, finish: .timedOut(deadline.phase))
    }
    lookAgainAt = exchanges.values.lazy.compactMap { $0.deadline?.at }.min()
  }
}
