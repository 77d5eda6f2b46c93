/// The events of one turn that the loop has to handle, or to pass on to consumers.
///
/// They are recorded as they happen, so that the cost of a turn depends on its events, not on the number of waiting
/// loads. Confined to the loop's thread.
package final class LoopEvents {
  @exclusivity(unchecked) private var ended: [(exchange: CurlExchange, failure: DataLoadingError?)] = []
  @exclusivity(unchecked) private var dirty: [CurlExchange] = []
  @exclusivity(unchecked) private var moved: [CurlExchange] = []

  /// The origins to which a connection was made, and whether they have responded over HTTP/2, if they have responded.
  @exclusivity(unchecked) private var origins: [Origin: Bool?] = [:]

  /// Those that requests were sent on, by number. Some of them are closed.
  @exclusivity(unchecked) package private(set) var connections: [Int64: CurlConnection] = [:]

  /// When the current turn began. Precise enough as the time at which bytes arrived.
  @exclusivity(unchecked) package var turnBegan = MonotonicInstant.now

  package init() {}

  package var isEmpty: Bool { ended.isEmpty && dirty.isEmpty }

  /// A load has ended. Bytes that arrived before are delivered with its end.
  package func add(ended exchange: CurlExchange, _ failure: DataLoadingError?) {
    if exchange.isDirty { dirty.removeAll { $0 === exchange } }
    ended.append((exchange, failure))
  }

  /// A load has something for its consumer.
  package func add(dirty exchange: CurlExchange) { dirty.append(exchange) }

  /// The deadline of a load may have become earlier.
  package func add(moved exchange: CurlExchange) { moved.append(exchange) }

  package func add(_ origin: Origin, speaksHTTP2: Bool? = nil) {
    origins[origin] = .some(speaksHTTP2 ?? origins[origin] ?? nil)
  }

  /// Returns what was learned about origins since the last call.
  package func takeOrigins() -> [Origin: Bool?] {
    defer { origins = [:] }
    return origins
  }

  /// The connection of a number; `nil` if there is no number.
  package func connection(_ number: Int64) -> CurlConnection? {
    guard number != 0 else { return nil }
    if let known = connections[number] { return known }
    // Which of those that no load uses are closed is not known.
    if connections.count >= 256 { connections = connections.filter { $0.value.streamCount > 0 } }
    let connection = CurlConnection(number)
    connections[number] = connection
    return connection
  }

  package func notifyConsumers() {
    for exchange in dirty { exchange.flush() }
    dirty.removeAll(keepingCapacity: true)
    for (exchange, failure) in ended { exchange.pipe.finish(failure) }
    ended.removeAll(keepingCapacity: true)
  }

  package func drainMoved(_ look: (CurlExchange) -> Void) {
    for exchange in moved { look(exchange) }
    moved.removeAll(keepingCapacity: true)
  }
}
