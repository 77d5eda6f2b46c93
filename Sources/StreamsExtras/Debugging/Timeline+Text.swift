extension Timeline {
  /// A text diagram with a line for each subscription and columns for its events, except the arrival of its subscriber.
  ///
  /// `s` is a subscription, `…` one that was found, `?` with a number a request, and `?∞` an unlimited request. `|` is the
  /// end, `#` a failure, `!` a cancellation, `~` a release without an end. A single character is a value. Another
  /// description is in parentheses, and shortened to twelve characters. `×` precedes a value that was dropped. The diagram
  /// of `[1, 2].publisher.print().map { $0 }`:
  ///
  /// ```
  /// Map → Sink        --s?∞------1--2--|
  /// Print → Map       -s---?∞---1--2--|-
  /// Sequence → Print  s------?∞1--2--|--
  /// ```
  ///
  /// A value that is dropped without a subscription, such as by a subject without subscribers, has no line. ``log`` lists it.
  public var text: String {
    let (subscriptions, events) = (subscriptions, events)
    let width = subscriptions.map(\.description.count).max() ?? 0
    var lines = subscriptions.map {
      $0.description + String(repeating: " ", count: width + 2 - $0.description.count)
    }
    let rows = Dictionary(uniqueKeysWithValues: subscriptions.enumerated().map { ($1.id, $0) })
    for event in events where event.kind.isDrawn {
      guard let row = event.subscription.flatMap({ rows[$0.id] }) else { continue }
      let sign = event.kind.sign(most: 12)
      for index in lines.indices {
        lines[index] += index == row ? sign : String(repeating: "-", count: sign.count)
      }
    }
    return lines.joined(separator: "\n")
  }

  /// A text with a line for each event: its number, time, thread, queue, subscription and signal.
  public var log: String {
    events.map { event in
      let queue = event.queue.map { " on \($0)" } ?? ""
      let subscription = event.subscription.map { "#\($0.id) \($0): " } ?? ""
      return
        "\(event.number) +\(event.time.thousandths)s thread \(event.thread)\(queue) \(subscription)\(event.kind.words)"
    }.joined(separator: "\n")
  }
}

extension Timeline.Event.Kind {
  /// Whether the event is drawn. The arrival of the subscriber is not, because its subscription follows.
  var isDrawn: Bool { self != .subscribed }

  /// - Parameter count: The largest number of characters of a value.
  func sign(most count: Int) -> String {
    switch self {
    case .subscribed: ""
    case .found: "…"
    case .subscription: "s"
    case .requested(let demand): "?" + (demand.map { "\($0)" } ?? "∞")
    case .value(let words): words.count == 1 ? words : "(\(words.trimmed(to: count)))"
    case .dropped(let words, _): "×" + (words.count == 1 ? words : "(\(words.trimmed(to: count)))")
    case .finished: "|"
    case .failed: "#"
    case .cancelled: "!"
    case .released: "~"
    }
  }

  package var words: String {
    switch self {
    case .subscribed: "subscribed"
    case .found: "found"
    case .subscription: "subscription"
    case .requested(let count): "request \(count.map { "\($0)" } ?? "unlimited")"
    case .value(let words): "value \(words)"
    case .dropped(let words, let reason): "drop \(words): \(reason)"
    case .finished: "finished"
    case .failed(let words): "failure \(words)"
    case .cancelled: "cancel"
    case .released: "released"
    }
  }
}
