import CTransport

/// All loads in progress. Belongs to the thread of the loop.
final class CurlSession {
  private let configuration: CurlLoader.Configuration
  private var exchanges: [UInt64: CurlExchange] = [:]
  private var line: WaitingLine<Origin, UInt64>

  init(_ configuration: CurlLoader.Configuration) {
    self.configuration = configuration
    line = WaitingLine(
      perKind: configuration.maximumConnectionsPerHost, overall: configuration.maximumConnections,
      isNewestFirst: configuration.order == .newestFirst)
  }

  var isIdle: Bool { exchanges.isEmpty }

  func add(_ identity: UInt64, _ journey: Journey, pipe: BodyPipe) {
    exchanges[identity] = CurlExchange(identity, journey, pipe: pipe, configuration: configuration)
    line.add(identity, of: journey.origin)
  }

  func goOn(_ identity: UInt64) {
    exchanges[identity]?.goOn(at: .now)
  }

  /// Ends a load: its connection is closed, unless the answer was complete, before this returns.
  func remove(_ identity: UInt64, finish failure: DataLoadingError? = nil) {
    guard let exchange = exchanges.removeValue(forKey: identity) else { return }
    leaveLine(exchange, at: exchange.journey.origin)
    exchange.endHop()
    exchange.pipe.finish(failure)
  }

  func removeAll(_ failure: DataLoadingError) {
    for identity in Array(exchanges.keys) { remove(identity, finish: failure) }
  }

  /// Does what can be done without waiting, and answers when there is something to do again at the latest.
  ///
  /// Throws when libcurl cannot go on.
  func turn(_ handle: OpaquePointer) throws(DataLoadingError) -> ContinuousClock.Instant? {
    admit(handle)
    guard transport_session_perform(handle) else { throw .unavailable("libcurl failed") }
    var outcome = transport_outcome.done
    while let context = transport_session_next_ended(handle, &outcome) {
      end(CurlExchange.at(context), outcome)
    }
    for exchange in exchanges.values where exchange.isDirty { exchange.flush() }
    expire(at: .now)
    admit(handle)
    return exchanges.values.lazy.compactMap { $0.deadline?.at }.min()
  }

  private func admit(_ handle: OpaquePointer) {
    while let identity = line.admit() {
      guard let exchange = exchanges[identity] else { continue }
      exchange.holdsPlace = true
      do throws(DataLoadingError) {
        try exchange.begin(in: handle, at: .now)
      } catch {
        remove(identity, finish: error)
      }
    }
  }

  private func end(_ exchange: CurlExchange, _ outcome: transport_outcome) {
    let origin = exchange.journey.origin
    switch exchange.hopEnded(outcome) {
    case .done: remove(exchange.identity)
    case .failed(let error): remove(exchange.identity, finish: error)
    case .anotherHop:
      leaveLine(exchange, at: origin)
      line.add(exchange.identity, of: exchange.journey.origin)
    }
  }

  private func leaveLine(_ exchange: CurlExchange, at origin: Origin) {
    if exchange.holdsPlace {
      line.release(origin)
    } else {
      line.remove(exchange.identity, of: origin)
    }
    exchange.holdsPlace = false
  }

  private func expire(at now: ContinuousClock.Instant) {
    for (identity, exchange) in exchanges {
      guard let deadline = exchange.deadline, deadline.at <= now else { continue }
      remove(identity, finish: .timedOut(deadline.phase))
    }
  }
}
