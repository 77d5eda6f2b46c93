public import Streams

/// A subscription without values, which records requests and cancellations.
public final class SubscriptionRecorder: Subscription {
  /// A request or a cancellation.
  public enum Ask: Equatable, Sendable {
    /// A request for more values.
    case request(Subscribers.Demand)
    /// A cancellation.
    case cancel
  }

  private let content = Guarded<[Ask]>([])
  private let name: String
  private let journal: Journal?

  /// Called inside `request(_:)`, after it was recorded. Set it before passing the subscription on.
  public var onRequest: ((Subscribers.Demand) -> Void)?

  /// Called inside `cancel()`, after it was recorded. Set it before passing the subscription on.
  public var onCancel: (() -> Void)?

  /// Creates a subscription called `name` in `journal`.
  public init(name: String = "upstream", journal: Journal? = nil) {
    (self.name, self.journal) = (name, journal)
  }

  /// All requests and cancellations, in order.
  public var asks: [Ask] { content.withLock { $0 } }

  /// The demands, in order.
  public var demands: [Subscribers.Demand] {
    asks.compactMap { if case .request(let demand) = $0 { demand } else { nil } }
  }

  /// All demands added up.
  public var demanded: Subscribers.Demand { demands.reduce(.none, +) }

  /// The number of cancellations.
  public var cancellations: Int { asks.count { $0 == .cancel } }

  /// Records the request, and calls ``onRequest``.
  public func request(_ demand: Subscribers.Demand) {
    record(.request(demand))
    onRequest?(demand)
  }

  /// Records the cancellation, and calls ``onCancel``.
  public func cancel() {
    record(.cancel)
    onCancel?()
  }

  private func record(_ ask: Ask) {
    journal?.note("\(name): \(ask)")
    content.withLock { $0.append(ask) }
  }
}

// What is mutable is guarded, except the hooks: they are set before handing over, and only read afterwards.
extension SubscriptionRecorder: @unchecked Sendable {}

extension SubscriptionRecorder: CustomStringConvertible {
  public var description: String { "Script" }
}

extension SubscriptionRecorder.Ask: CustomStringConvertible {
  public var description: String {
    switch self {
    case .request(let demand): "request \(demand)"
    case .cancel: "cancel"
    }
  }
}
