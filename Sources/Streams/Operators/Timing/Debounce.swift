extension Publisher {
  /// Sends a value when no other value has arrived for `dueTime`.
  ///
  /// ![Marble diagram of debounce](debounce.svg)
  ///
  /// ```swift
  /// let scheduler = VirtualScheduler.virtual
  /// let words = PassthroughSubject<String, Never>()
  /// let cancellable = words.debounce(for: .milliseconds(300), scheduler: scheduler).sink { print($0) }
  /// words.send("s")
  /// words.send("sw")
  /// scheduler.advance(by: .milliseconds(300))  // Prints sw
  /// ```
  ///
  /// The example uses the virtual time of StreamsTesting. A program passes `DispatchQueue.main` or another scheduler.
  ///
  /// Everything is requested from this publisher. A value without demand is dropped, and so is a value that is waiting
  /// when the stream ends. Values and the completion are delivered on `scheduler`. A waiting value does not retain the
  /// subscription.
  @inlinable
  public func debounce<Context: Scheduler>(
    for dueTime: Context.SchedulerTimeType.Stride, scheduler: Context,
    options: Context.SchedulerOptions? = nil
  ) -> Publishers.Debounce<Self, Context> {
    Publishers.Debounce(upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/debounce(for:scheduler:options:)``.
  public struct Debounce<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are delayed.
    public let upstream: Upstream
    /// The time without another value.
    public let dueTime: Context.SchedulerTimeType.Stride
    /// The scheduler that measures the time and delivers values and the completion.
    public let scheduler: Context
    /// The options passed to the scheduler.
    public let options: Context.SchedulerOptions?

    /// Creates the publisher that `upstream.debounce(for: dueTime, scheduler: scheduler, options: options)` returns.
    @inlinable
    public init(
      upstream: Upstream, dueTime: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions?
    ) {
      self.upstream = upstream
      self.dueTime = dueTime
      self.scheduler = scheduler
      self.options = options
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      OperatorCore.start("Debounce", on: scheduler, options: options, for: subscriber) { [self] core, hop in
        core.debounce(upstream, for: dueTime, on: scheduler, options, flushes: false, hop)
      }
    }
  }
}

extension Publishers.Debounce: Sendable
where
  Upstream: Sendable, Context: Sendable, Context.SchedulerTimeType.Stride: Sendable,
  Context.SchedulerOptions: Sendable
{}

extension OperatorCore {
  /// Subscribes to `upstream`, and sends a value once no other has arrived for `dueTime`; at the end the one that still
  /// waits, if `flushes`. Upstream's subscriber retains `hop` with its closures.
  @inlinable
  package func debounce<Upstream: Publisher<Output, Failure>, Context: Scheduler, Final>(
    _ upstream: Upstream, for dueTime: Context.SchedulerTimeType.Stride, on scheduler: Context,
    _ options: Context.SchedulerOptions?, flushes: Bool, _ hop: ReceiveOnSubscription<Final>
  ) where Downstream == ScheduledOutlet<Final> {
    let timer = timer(on: scheduler, options: options)
    let state = Box(DebounceState<Output>())
    show(state)
    subscribe(to: upstream, UpstreamHandle(requesting: .unlimited)) { value in
      state.value.count += 1
      let number = state.value.count
      let old = state.value.latest
      state.value.latest = (number, value)
      // The value belongs to its timer: one that arrives while this timer fires neither replaces it nor is sent early.
      let isReplaced = timer.set(after: dueTime) { [weak self, weak hop] in  // law C21: the timer is the core's own
        guard let self, let hop else { return }
        performInJob(hop) {
          guard number != state.value.flushed else { return }
          if state.value.latest?.number == number { state.value.latest = nil }
          self.offer(value)
        }
      }
      if isReplaced, let old { self.drop(old.value, because: .superseded) }
    } onCompletion: { completion in
      timer.cancel()
      let latest = flushes ? state.value.latest.take() : nil
      if let latest { state.value.flushed = latest.number }
      let rest = completion.isFailure ? nil : latest?.value
      scheduler.schedule(options: flushes ? options : nil) {
        self.performInJob(hop) {
          if let rest { self.offer(rest) }
          self.finish(completion)
        }
      }
    }
  }
}

extension OperatorCore {
  /// Shows in mirrors what Combine shows.
  @usableFromInline
  func show(_ state: Box<DebounceState<Output>>) {
    reflect = { core in
      [
        ("downstream", core.downstreamForMirror ?? "nil"), ("downstreamDemand", core.demand),
        ("currentValue", (state.value.latest?.value as Any?) ?? "nil"),
      ]
    }
  }
}

@frozen @usableFromInline
struct DebounceState<Value> {
  /// How many values have arrived.
  @usableFromInline var count = 0
  /// The number of the value that was sent at the end.
  @usableFromInline var flushed = 0
  @usableFromInline var latest: (number: Int, value: Value)?

  @inlinable
  init() {}
}
