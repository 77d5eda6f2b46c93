public import Streams

/// A subscription that gives nothing, and writes down what it is asked.
public final class SubscriptionRecorder: Subscription {
  /// One thing that was asked.
  public enum Ask: Equatable, Sendable {
    /// So many more values.
    case request(Subscribers.Demand)
    /// No more values.
    case cancel
  }

  private let content = Guarded<[Ask]>([])
  private let name: String
  private let journal: Journal?

  /// Called inside `request(_:)`, after it was recorded. Set it before handing the subscription over.
  public var onRequest: ((Subscribers.Demand) -> Void)?

  /// Called inside `cancel()`, after it was recorded. Set it before handing the subscription over.
  public var onCancel: (() -> Void)?

  /// A subscription that is called `name` in `journal`.
  public init(name: String = "upstream", journal: Journal? = nil) {
    self.name = name
    self.journal = journal
  }

  /// Everything asked, in order.
  public var asks: [Ask] { content.withLock { $0 } }

  /// The demands, in order.
  public var demands: [Subscribers.Demand] {
    asks.compactMap { if case .request(let demand) = $0 { demand } else { nil } }
  }

  /// All demands added up.
  public var demanded: Subscribers.Demand { demands.reduce(.none, +) }

  /// How often it was cancelled.
  public var cancellations: Int { asks.count { $0 == .cancel } }

  /// Notes the request, and tells ``onRequest``.
  public func request(_ demand: Subscribers.Demand) {
    record(.request(demand))
    onRequest?(demand)
  }

  /// Notes the cancellation, and tells ``onCancel``.
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
