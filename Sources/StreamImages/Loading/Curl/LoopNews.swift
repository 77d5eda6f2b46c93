/// What the consumers of loads have not been told yet, and what the loop itself has not looked at.
///
/// Kept as it comes, so that a turn costs what has happened in it, however many loads wait in line.
/// Belongs to the thread of the loop.
final class LoopNews {
  @exclusivity(unchecked) private var ended: [(exchange: CurlExchange, failure: DataLoadingError?)] = []
  @exclusivity(unchecked) private var dirty: [CurlExchange] = []
  @exclusivity(unchecked) private var moved: [CurlExchange] = []

  /// What answered, and whether it did so over HTTP/2.
  @exclusivity(unchecked) private var answered: [Origin: Bool] = [:]
  /// To which a connection is being made, although loads are to share one.
  @exclusivity(unchecked) private var connectingTo: Set<Origin> = []

  /// When libcurl was last asked to do what it can: for bytes, time enough.
  @exclusivity(unchecked) var turnBegan = Moment.now

  var isEmpty: Bool { ended.isEmpty && dirty.isEmpty }

  /// Of one that came to its end: what it brought before is told with it.
  func add(ended exchange: CurlExchange, _ failure: DataLoadingError?) {
    if exchange.isDirty { dirty.removeAll { $0 === exchange } }
    ended.append((exchange, failure))
  }

  /// Of one that goes on.
  func add(dirty exchange: CurlExchange) { dirty.append(exchange) }

  /// Of one whose deadline may have come nearer, which is the loop's own business.
  func add(moved exchange: CurlExchange) { moved.append(exchange) }

  func add(_ origin: Origin, speaksHTTP2: Bool) { answered[origin] = speaksHTTP2 }

  func add(connectingTo origin: Origin) { connectingTo.insert(origin) }

  /// What was learned of origins since it was last asked.
  func takeOrigins() -> (answered: [Origin: Bool], connectingTo: Set<Origin>)? {
    if answered.isEmpty, connectingTo.isEmpty { return nil }
    defer { (answered, connectingTo) = ([:], []) }
    return (answered, connectingTo)
  }

  func tell() {
    for exchange in dirty { exchange.flush() }
    dirty.removeAll(keepingCapacity: true)
    for (exchange, failure) in ended { exchange.pipe.finish(failure) }
    ended.removeAll(keepingCapacity: true)
  }

  func lookAtMoved(_ look: (CurlExchange) -> Void) {
    for exchange in moved { look(exchange) }
    moved.removeAll(keepingCapacity: true)
  }
}
