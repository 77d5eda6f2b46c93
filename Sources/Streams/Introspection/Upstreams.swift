/// A subscription that finds its way up: to those that its operator has received.
@usableFromInline
package protocol UpstreamsVisible {
  /// The subscriptions above this one.
  var upstreamSubscriptions: [any Subscription] { get }
  /// How many values wait here; `nil` if that is not known.
  var waitingValues: Int? { get }
  /// The values that were requested here and have not been sent; `nil` if that is not known.
  var unmetDemand: Subscribers.Demand? { get }
}

extension UpstreamsVisible {
  @usableFromInline package var waitingValues: Int? { nil }
  @usableFromInline package var unmetDemand: Subscribers.Demand? { nil }
}

extension Subscription {
  /// The subscription itself, without what introspections wrap it in.
  package var unwrapped: any Subscription {
    var one: any Subscription = self
    while let wrapper = one as? any SubscriptionWrapper { one = wrapper.content }
    return one
  }

  /// Whether this is `other`, or `other` is above it.
  func isOrFollows(_ other: AnyObject) -> Bool {
    var found = false
    walkUp { subscription, _ in
      found = found || subscription as AnyObject === other
      return !found
    }
    return found
  }

  /// Calls `visit` with this and every subscription above it, each once, and the one below it, until that returns false.
  package func walkUp(_ visit: (any Subscription, (any Subscription)?) -> Bool) {
    var seen: Set<CombineIdentifier> = []
    var rest: [(any Subscription, (any Subscription)?)] = [(unwrapped, nil)]
    while let (next, below) = rest.popLast() {
      guard seen.insert(next.combineIdentifier).inserted else { continue }
      if !visit(next, below) { return }
      let above = (next as? any UpstreamsVisible)?.upstreamSubscriptions ?? []
      rest += above.reversed().map { ($0.unwrapped, next) }
    }
  }
}

/// A subscription that passes everything on to another.
package protocol SubscriptionWrapper {
  var content: any Subscription { get }
}

extension BoxedSubscription: SubscriptionWrapper {
  var content: any Subscription { wrapped }
}
