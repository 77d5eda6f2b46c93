/// What the thread of the loop has to see to before it sleeps. Belongs to that thread.
///
/// Says who is concerned: there may be thousands who are not.
final class CurlAgenda {
  /// When this turn began: as good as now, and cheaper to know.
  @exclusivity(unchecked)  // on one thread, each access is one load or one store
  private(set) var now = ContinuousClock.now
  /// Those who have news for their consumers.
  private var newsmakers: [CurlExchange] = []
  /// Those whose deadlines may have come closer.
  private var moved: [CurlExchange] = []

  var hasNews: Bool { !newsmakers.isEmpty }

  func beginTurn() { now = .now }

  func noteNews(of exchange: CurlExchange) { newsmakers.append(exchange) }

  func noteDeadline(of exchange: CurlExchange) { moved.append(exchange) }

  /// Goes through those with news, also those who get some meanwhile.
  ///
  /// - Parameter tell: Answers until when an exchange would rather wait, if it would.
  /// - Returns: When the first of those who wait have waited long enough.
  func tellNews(
    _ tell: (CurlExchange) -> ContinuousClock.Instant?
  ) -> ContinuousClock.Instant? {
    var (waiting, soonest) = ([CurlExchange](), ContinuousClock.Instant?.none)
    while let exchange = newsmakers.popLast() {
      guard let later = tell(exchange) else { continue }
      waiting.append(exchange)
      soonest = min(soonest ?? later, later)
    }
    newsmakers.append(contentsOf: waiting)
    return soonest
  }

  /// - Returns: The closest of the deadlines that have moved.
  func takeDeadline() -> ContinuousClock.Instant? {
    var closest: ContinuousClock.Instant?
    while let exchange = moved.popLast() {
      guard let at = exchange.deadline?.at else { continue }
      closest = min(closest ?? at, at)
    }
    return closest
  }
}
