/// What the consumers of loads have not been told yet, and what the loop itself has not looked at.
///
/// Kept as it comes, so that a turn costs what has happened in it, however many loads wait in line.
/// Belongs to the thread of the loop.
final class LoopNews {
  private var ended: [(exchange: CurlExchange, failure: DataLoadingError?)] = []
  private var dirty: [CurlExchange] = []
  private var moved: [CurlExchange] = []

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

  func tell() {
    var told: [BodyPipe.Waiting] = []
    told.reserveCapacity(ended.count + dirty.count)
    for exchange in dirty { exchange.flush(into: &told) }
    dirty.removeAll(keepingCapacity: true)
    for (exchange, failure) in ended { told.append(exchange.pipe.end(failure)) }
    ended.removeAll(keepingCapacity: true)
    // One right after the other: then a thread that is woken for the first finds the others.
    for waiting in told { waiting.resume() }
  }

  func takeMoved() -> [CurlExchange] {
    defer { moved.removeAll(keepingCapacity: true) }
    return moved
  }
}
