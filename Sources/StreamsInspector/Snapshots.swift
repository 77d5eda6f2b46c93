internal import Streams
internal import StreamsExtras

/// Writes what the page asks for as JSON. Times are in seconds.
struct Snapshots: Sendable {
  /// The chain that exceeds this is the last one.
  private static let maximumByteCount = 512 << 10

  private let subscriptions: LiveSubscriptions
  private let program: String

  init(of subscriptions: LiveSubscriptions) {
    self.subscriptions = subscriptions
    program = CommandLine.arguments.first?.split(separator: "/").last.map { String($0).clipped } ?? "?"
  }

  // MARK: The list

  /// The counts of the process, and the chains that are selected, as far as there is room for them.
  func list(_ selection: Selection) -> String {
    let start = ContinuousClock.now
    let now = subscriptions.now
    let forest = Forest(subscriptions.summaries)
    let roots = forest.roots(for: selection, now: now.nanoseconds)
    var (rows, rowCount, byteCount, chainCount) = ([String](), 0, 0, 0)
    for root in roots {
      let chain = forest.chain(from: root)
      if byteCount > Self.maximumByteCount { break }
      if rowCount > 0, rowCount + chain.count > selection.rowCount { continue }
      let part = rowTexts(of: chain, in: forest, now: now, limit: selection.rowCount)
      rows += part
      rowCount += part.count
      byteCount += part.reduce(0) { $0 + $1.utf8.count }
      chainCount += 1
    }
    let counts = [
      "\"program\":\(program.clippedJSON)", "\"time\":\(now.seconds)",
      "\"subscriptions\":\(forest.summaries.count)", "\"chains\":\(forest.roots.count)",
      "\"matching\":\(roots.count)", "\"shownChains\":\(chainCount)", "\"shown\":\(rowCount)",
      "\"events\":\(subscriptions.eventCount)", "\"unheard\":\(subscriptions.unheardCount)",
      "\"kinds\":[\(kinds(of: forest))]", "\"rows\":[\(rows.joined(separator: ","))]",
      "\"took\":\(start.duration(to: .now).seconds)",
    ]
    return "{\(counts.joined(separator: ","))}"
  }

  /// The connections that exist most often.
  private func kinds(of forest: Forest) -> String {
    var counts: [Kind: Int] = [:]
    for one in forest.summaries {
      counts[Kind(publisher: one.publisher, subscriber: one.subscriber), default: 0] += 1
    }
    let most = counts.sorted { ($0.value, $1.key.publisher) > ($1.value, $0.key.publisher) }.prefix(12)
    return most.map { kind, count in
      "{\"publisher\":\(kind.publisher.clippedJSON),\"subscriber\":\(kind.subscriber.clippedJSON),\"count\":\(count)}"
    }.joined(separator: ",")
  }

  private struct Kind: Hashable {
    let publisher: String
    let subscriber: String
  }

  private func rowTexts(of chain: [(position: Int, lane: Int)], in forest: Forest, now: Duration, limit: Int)
    -> [String]
  {
    var entries: [Int: LiveSubscriptions.Entry] = [:]
    // Of a chain that is too long, the end near the consumer is shown.
    let shown = chain.suffix(limit)
    for (position, _) in shown { entries[position] = subscriptions.entry(of: forest.summaries[position]) }
    let explanation = Explanation(forest: forest) { position in
      entries[position] ?? subscriptions.entry(of: forest.summaries[position])
    }
    return shown.map { position, lane in
      let entry = entries[position]!
      let silent = now - entry.lastEvent
      return text(
        of: entry, lane: lane, isRoot: forest.below[position] == nil, now: now,
        reason: silent > .seconds(1) && !entry.isAdopted ? explanation.reason(of: position) : nil)
    }
  }

  private func text(
    of entry: LiveSubscriptions.Entry, lane: Int, isRoot: Bool, now: Duration, reason: String?
  ) -> String {
    let subscription = entry.subscription
    let demand = entry.demand.map { $0.max.map(String.init) ?? "\"unlimited\"" } ?? "null"
    let parts = [
      "\"id\":\(subscription.id)", "\"parent\":\(subscription.parent.text)", "\"lane\":\(lane)",
      "\"root\":\(isRoot)",
      "\"publisher\":\(subscription.publisher.clippedJSON)",
      "\"subscriber\":\(subscription.subscriber.clippedJSON)",
      "\"name\":\((subscription.name ?? "").clippedJSON)",
      "\"place\":\((subscription.place?.description ?? "").clippedJSON)",
      "\"found\":\(entry.isAdopted)", "\"values\":\(entry.valueCount)", "\"demand\":\(demand)",
      "\"waiting\":\(entry.waitingCount.text)", "\"drops\":\(entry.dropCount)",
      "\"open\":\((now - entry.firstEvent).seconds)", "\"silent\":\((now - entry.lastEvent).seconds)",
      "\"reason\":\((reason ?? "").clipped(to: 400).json)",
    ]
    return "{\(parts.joined(separator: ","))}"
  }

  // MARK: Events

  /// The last 100 events of a subscription, the newest first; none if it is over.
  func events(of id: Int) -> String {
    let events = subscriptions.events(of: id).reversed().map { event in
      "{\"number\":\(event.number),\"time\":\(event.time.seconds),\"text\":\(event.kind.words.clipped(to: 300).json),"
        + "\"thread\":\(event.thread),\"queue\":\((event.queue ?? "").clippedJSON)}"
    }
    return "{\"id\":\(id),\"events\":[\(events.joined(separator: ","))]}"
  }
}

extension String {
  fileprivate var clippedJSON: String { clipped.json }
}

extension Int? {
  fileprivate var text: String { map(String.init) ?? "null" }
}

extension Duration {
  /// Never negative.
  fileprivate var seconds: String { max(self, .zero).thousandths }

  fileprivate var nanoseconds: UInt64 {
    let (seconds, attoseconds) = max(self, .zero).components
    return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
  }
}
