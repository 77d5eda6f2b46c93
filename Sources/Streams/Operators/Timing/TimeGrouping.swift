extension OperatorCore {
  /// Subscribes to `upstream`, and sends its values in groups: each when it is due and was requested.
  @usableFromInline
  func group<Upstream: Publisher, Context: Scheduler, Final>(
    _ upstream: Upstream, by strategy: Publishers.TimeGroupingStrategy<Context>,
    _ options: Context.SchedulerOptions?, _ hop: ReceiveOnSubscription<Final>
  )
  where
    Output == [Upstream.Output], Failure == Upstream.Failure, Downstream == ScheduledOutlet<Final>
  {
    let (scheduler, interval, count) = strategy.parts
    let timer = timer(on: scheduler, options: options)
    var groups = TimeGroups<Upstream.Output, Failure>()

    /// Sends what is in the outbox, and the completion after it.
    func send(_ core: OperatorCore) {
      while !core.isOver, let delivery = groups.next() {
        switch delivery {
        case .group(let group): core.offer(group)
        case .completion(let completion): core.finish(completion)
        }
      }
    }
    func scheduleSending(_ core: OperatorCore) {
      guard let hop = core.hop() else { return }
      scheduler.schedule(options: options) { core.performInJob(hop) { send(core) } }
    }
    func startTimer(_ core: OperatorCore) {
      // The scheduler repeats it: one that runs everything at once would have no end of a timer that sets the next.
      let hop = core.hop()
      timer.set(after: interval, repeats: true) { [weak core, weak hop] in  // law C21: the timer is the core's own
        guard let core, let hop else { return }
        core.performInJob(hop) {
          groups.packRest()
          send(core)
        }
      }
    }

    let handle = UpstreamHandle()
    func request(_ more: Subscribers.Demand, _ core: OperatorCore) {
      groups.demand += more
      if groups.ending != nil {
        groups.packRest()
        scheduleSending(core)
      } else if groups.packFull() {
        scheduleSending(core)
      }
      // Each value asks for the next.
      if let count {
        handle.requestMore(more * count)
      } else if !groups.hasAsked {
        handle.requestMore(.max(1))
      }
      groups.hasAsked = true
    }
    onRequest { core, more in request(more, core) }
    let attach = attachDownstream
    attachDownstream = { core in
      startTimer(unsafeDowncast(core, to: OperatorCore.self))
      attach?(core)
    }
    subscribe(to: upstream, for: hop, handle) { value in
      groups.add(value, most: count)
      if groups.packFull() { scheduleSending(self) }
      if count == nil { handle.requestMore(.max(1)) }
    } onCompletion: { completion in
      timer.cancel()
      groups.ending = completion
      if completion.isFailure { withExtendedLifetime(groups.takeRest()) {} } else { groups.packRest() }
      scheduleSending(self)
    }
  }
}

extension Publishers.TimeGroupingStrategy {
  @usableFromInline
  var parts: (scheduler: Context, interval: Context.SchedulerTimeType.Stride, count: Int?) {
    switch self {
    case .byTime(let scheduler, let interval): (scheduler, interval, nil)
    case .byTimeOrCount(let scheduler, let interval, let count): (scheduler, interval, count)
    }
  }
}
