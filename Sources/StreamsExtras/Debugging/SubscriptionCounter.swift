/// Counts the open subscriptions: begun, and neither ended nor cancelled, while the counter is enabled.
///
/// ```swift
/// let counter = SubscriptionCounter()
/// counter.enable()
/// let sink = subject.sink { _ in }
/// print(counter)  // 1 open of 1 subscriptions, 0 values dropped: PassthroughSubject → Sink
/// ```
///
/// Each connection of a chain counts. It also counts the values that are dropped while it is enabled.
public final class SubscriptionCounter: _Introspection, Sendable {
  private struct State {
    /// Each with the attachment that it is part of.
    var open: [Int: Attachment] = [:]
    var total = 0
    var drops = 0
  }

  private let state = Guarded(State())

  /// Creates a counter, which counts once it is enabled.
  public init() {}

  /// The number of open subscriptions.
  public var open: Int { state.withLock { $0.open.count } }

  /// The number of subscriptions that were counted so far.
  public var total: Int { state.withLock { $0.total } }

  /// The number of values that were dropped so far.
  public var drops: Int { state.withLock { $0.drops } }
}

extension SubscriptionCounter: AttachmentObserver {
  package func observe(_ signal: Signal, on attachment: Attachment?) {
    state.withLock { state in
      switch signal {
      case .subscription:
        guard let attachment else { return }
        state.open[attachment.id] = attachment
        state.total += 1
      case .finished, .failed, .cancelled:
        if let attachment { state.open[attachment.id] = nil }
      case .dropped: state.drops += 1
      case .subscribed, .adopted, .requested, .value, .released: break
      }
    }
  }
}

extension SubscriptionCounter: CustomStringConvertible {
  /// A text with the counts and the open subscriptions, the oldest first. At most ten are listed.
  public var description: String {
    let state = state.withLock { $0 }
    let open = state.open.values.sorted { $0.id < $1.id }.map { "\(Timeline.Subscription($0))" }
    let list = open.isEmpty ? "" : ": " + open.prefix(10).joined(separator: ", ")
    let rest = open.count > 10 ? ", and \(open.count - 10) more" : ""
    return "\(open.count) open of \(state.total) subscriptions, \(state.drops) values dropped\(list)\(rest)"
  }
}
