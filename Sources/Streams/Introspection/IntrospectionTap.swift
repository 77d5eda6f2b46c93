/// Attaches `subscriber` to `publisher` so that introspections see it.
///
/// Neither inlined nor specialised, so programs without introspections pay nothing for it, not even in code size. It
/// consumes its arguments because the compiler (6.3) does not survive loans of them in both branches, one in another
/// for each stage.
@usableFromInline @inline(never)
func subscribeInSight<Upstream: Publisher, Downstream: Subscriber>(
  _ subscriber: consuming Downstream, to publisher: consuming Upstream
) where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
  let (subscriber, publisher) = (subscriber, publisher)
  Introspections.watch {
    publisher.receive(subscriber: IntrospectionTap(subscriber))
  } will: {
    $0.willReceive(publisher: publisher, subscriber: subscriber)
  } did: { one, _ in
    one.didReceive(publisher: publisher, subscriber: subscriber)
  }
}

/// Wraps a subscriber, and notifies introspections of its signals. Otherwise it looks like the subscriber that it
/// wraps.
private struct IntrospectionTap<Downstream: Subscriber>: Subscriber {
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure

  let downstream: Downstream

  init(_ downstream: Downstream) { self.downstream = downstream }

  func receive(subscription: any Subscription) {
    Introspections.watch {
      downstream.receive(subscription: SubscriptionTap(subscription))
    } will: {
      $0.willReceive(subscriber: downstream, subscription: subscription)
    } did: { one, _ in
      one.didReceive(subscriber: downstream, subscription: subscription)
    }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    Introspections.watch {
      downstream.receive(input)
    } will: {
      $0.willReceive(subscriber: downstream, input: input)
    } did: { one, more in
      one.didReceive(subscriber: downstream, input: input, resultingDemand: more)
    }
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    Introspections.watch {
      downstream.receive(completion: completion)
    } will: {
      $0.willReceive(subscriber: downstream, completion: completion)
    } did: { one, _ in
      one.didReceive(subscriber: downstream, completion: completion)
    }
  }

  var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }
}

extension IntrospectionTap: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  var description: String { String(describing: downstream) }
  var customMirror: Mirror { Mirror(reflecting: downstream) }
  var playgroundDescription: Any { downstream }
}

/// The same on the way up.
private struct SubscriptionTap: Subscription {
  let upstream: any Subscription

  init(_ upstream: any Subscription) { self.upstream = upstream }

  func request(_ demand: Subscribers.Demand) {
    Introspections.watch {
      upstream.request(demand)
    } will: {
      $0.willRequest(subscription: upstream, demand)
    } did: { one, _ in
      one.didRequest(subscription: upstream, demand)
    }
  }

  func cancel() {
    Introspections.watch {
      upstream.cancel()
    } will: {
      $0.willCancel(subscription: upstream)
    } did: { one, _ in
      one.didCancel(subscription: upstream)
    }
  }

  var combineIdentifier: CombineIdentifier { upstream.combineIdentifier }
}

extension SubscriptionTap: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  var description: String { String(describing: upstream) }
  var customMirror: Mirror { Mirror(reflecting: upstream) }
  var playgroundDescription: Any { upstream }
}
