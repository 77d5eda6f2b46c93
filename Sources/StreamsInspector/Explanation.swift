internal import Streams
internal import StreamsExtras

/// Finds what a subscription waits for: demand from below, or a value from above.
struct Explanation {
  /// How many publishers are looked at of those that an operator merges.
  private static let most = 100

  let forest: Forest
  let entry: (Int) -> LiveSubscriptions.Entry

  /// A text such as `no demand from FlatMap, which waits for Child at Search.swift:31`.
  func reason(of position: Int) -> String {
    if hasNoDemand(position) { return reasonWithoutDemand(of: position) }
    if let parent = entry(position).subscription.parent, forest.below[position] == nil {
      return "its subscriber, of subscription \(parent), is over"
    }
    var (source, seen) = (position, Set([position]))
    while let next = above(source), seen.insert(next).inserted { source = next }
    return source == position
      ? "\(entry(source).subscription.publisher.clipped) has sent nothing since"
      : "waits for \(name(of: source, from: position))"
  }

  private func reasonWithoutDemand(of position: Int) -> String {
    let subscriber = entry(position).subscription.subscriber.clipped
    guard let operation = forest.below[position] else { return "no demand from \(subscriber)" }
    let others = forest.branches[operation].prefix(Self.most).filter { $0 != position && !hasNoDemand($0) }
    if let other = others.first {
      let more = others.count > 1 ? " and \(others.count - 1) more" : ""
      return "no demand from \(subscriber), which waits for \(name(of: other, from: position))\(more)"
    }
    guard hasNoDemand(operation) else { return "no demand from \(subscriber)" }
    var last = operation
    while let next = forest.below[last], hasNoDemand(next) { last = next }
    return "no demand from \(subscriber), which has none from \(entry(last).subscription.subscriber.clipped)"
  }

  private func hasNoDemand(_ position: Int) -> Bool { entry(position).demand == Subscribers.Demand.none }

  /// The upstream that may still send.
  private func above(_ position: Int) -> Int? {
    let branches = forest.branches[position].prefix(Self.most)
    return branches.first { !hasNoDemand($0) } ?? branches.first
  }

  /// The name and the place of its part of the chain, if those of the other are different; else its publisher.
  private func name(of position: Int, from other: Int) -> String {
    let (own, others) = (entry(position).subscription, entry(other).subscription)
    guard let place = own.place, place != others.place || own.name != others.name else {
      return own.publisher.clipped
    }
    let file = place.fileID.split(separator: "/").last ?? ""
    return "\(own.name ?? own.publisher)".clipped + " at \(file):\(place.line)".clipped
  }
}

extension String {
  /// At most 120 characters of Unicode, and a mark if there are more.
  var clipped: String { clipped(to: 120) }

  func clipped(to count: Int) -> String {
    guard utf8.count > count else { return self }
    let start = unicodeScalars.prefix(count)
    return start.endIndex == endIndex ? self : String(start) + "…"
  }
}
