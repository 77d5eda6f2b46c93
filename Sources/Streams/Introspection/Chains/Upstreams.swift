/// A subscription that finds its way up: to those that its operator has received.
@usableFromInline
package protocol UpstreamsVisible {
  /// The subscriptions above this one.
  var upstreamSubscriptions: [any Subscription] { get }
  /// How many values wait here; `nil` if that cannot be read from any thread.
  var waitingValues: Int? { get }
  /// The values that were requested here and have not been sent; `nil` if that cannot be read from any thread.
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

// MARK: The subscriptions of operators

extension SingleUpstreamSubscription: UpstreamsVisible {
  @usableFromInline package final var upstreamSubscriptions: [any Subscription] {
    let isAttached = lifecycle.enter()
    defer { leave() }
    return isAttached ? upstream.map { [$0] } ?? [] : []
  }
}

extension AnySubjectSubscription: UpstreamsVisible {
  @usableFromInline package final var upstreamSubscriptions: [any Subscription] { [] }
  @usableFromInline package final var unmetDemand: Subscribers.Demand? { demandCounter.outstanding }
}

extension AnyOperatorCore: UpstreamsVisible {
  @usableFromInline package final var upstreamSubscriptions: [any Subscription] {
    lock.withLock { handles.all }.compactMap { $0.subscription as (any Subscription)? }
  }
}

extension Flatten: UpstreamsVisible {
  @usableFromInline package var upstreamSubscriptions: [any Subscription] {
    let outer = lock.withLock { upstream }
    let inner = lock.withLock { children.all }.compactMap { $0.subscription as (any Subscription)? }
    if let outer { return [outer] + inner }
    return inner
  }
}

extension Concatenation: UpstreamsVisible {
  @usableFromInline package var upstreamSubscriptions: [any Subscription] {
    lock.withLock { upstream }.map { [$0] } ?? []
  }

  @usableFromInline package var unmetDemand: Subscribers.Demand? { demandCounter.outstanding }
}

extension Join: UpstreamsVisible {
  @usableFromInline package var upstreamSubscriptions: [any Subscription] {
    lock.withLock { handles }.compactMap { $0.subscription as (any Subscription)? }
  }
}

extension Buffering: UpstreamsVisible {
  @usableFromInline package var upstreamSubscriptions: [any Subscription] {
    upstream.subscription.map { [$0] } ?? []
  }
}

extension ReceiveOnSubscription: UpstreamsVisible {
  @usableFromInline package var upstreamSubscriptions: [any Subscription] {
    lock.withLock { upstream }.map { [$0] } ?? []
  }

  @usableFromInline package var waitingValues: Int? { lock.withLock { arrived.count } }
}

extension MulticastSubscription: UpstreamsVisible {
  @usableFromInline package var upstreamSubscriptions: [any Subscription] {
    handle.subscription.map { [$0] } ?? []
  }
}

extension TimeoutTimer: UpstreamsVisible {
  @usableFromInline package var upstreamSubscriptions: [any Subscription] {
    upstream.subscription.map { [$0] } ?? []
  }
}

extension UpstreamHandle {
  /// The upstream's subscription, while it is attached.
  @usableFromInline
  var subscription: SubscriptionObject? {
    lock.withLock { if case .attached(let subscription) = slot { subscription } else { nil } }
  }
}
