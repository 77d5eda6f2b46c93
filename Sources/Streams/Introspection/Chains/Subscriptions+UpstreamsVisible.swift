// Where the subscriptions of operators find their way up.

extension SingleUpstreamSubscription: UpstreamsVisible {
  @usableFromInline package final var upstreamSubscriptions: [any Subscription] {
    let isAttached = lifecycle.enter()
    defer { leave() }
    return isAttached ? upstream.map { [$0] } ?? [] : []
  }
}

extension AnySubjectSubscription: UpstreamsVisible {
  @usableFromInline package final var upstreamSubscriptions: [any Subscription] { [] }
  @usableFromInline package final var unmetDemand: Subscribers.Demand? { turn.outstanding }
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

extension AnyConcatenation: UpstreamsVisible {
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
    if let core { return core.upstreamSubscriptions }
    return lock.withLock { upstream }.map { [$0] } ?? []
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
