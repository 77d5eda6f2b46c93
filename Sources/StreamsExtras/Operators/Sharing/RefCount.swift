extension ConnectablePublisher {
  /// Connects when there are `minSubscribers` subscribers, and disconnects when the last one cancels.
  ///
  /// With one subscriber, this is `autoconnect()`.
  @_disfavoredOverload
  public func refCount(minSubscribers: Int = 1) -> MorePublishers.RefCount<Self> {
    MorePublishers.RefCount(self, minSubscribers, wait: nil)
  }

  /// Connects when there are `minSubscribers` subscribers, and disconnects after `interval` without any.
  ///
  /// ![Marble diagram of ref-count](ref-count.svg)
  ///
  /// A subscriber that arrives within `interval` continues with the same connection. A stream that ended while it was
  /// connected is not connected again. Traps if `minSubscribers` is less than one.
  @_disfavoredOverload
  public func refCount<Context: Scheduler>(
    minSubscribers: Int = 1, disconnectAfter interval: Context.SchedulerTimeType.Stride, scheduler: Context,
    options: Context.SchedulerOptions? = nil
  ) -> MorePublishers.RefCount<Self> {
    MorePublishers.RefCount(self, minSubscribers) { end in
      let timer = RestartableTimer(on: scheduler, options: options)
      timer.set(after: interval, end)
      return AnyCancellable { timer.cancel() }
    }
  }
}

extension MorePublishers {
  /// The publisher returned by ``Streams/ConnectablePublisher/refCount(minSubscribers:)``.
  public final class RefCount<Upstream: ConnectablePublisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    @usableFromInline let upstream: Upstream
    @usableFromInline let connection: SharedConnection

    init(_ upstream: Upstream, _ minimum: Int, wait: ((@escaping () -> Void) -> any Cancellable)?) {
      if minimum < 1 { Violation.emptyGroup(minimum) }
      self.upstream = upstream
      connection = SharedConnection(minimum: minimum, wait: wait)
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      connection.join()
      let tap = TapSubscription(CancelTap { [connection] in connection.leave() }, to: subscriber)
      upstream.subscribe(tap)
      if tap.isOver { return }  // of a stream that has ended, nobody would disconnect
      connection.begin { $0.attach(ConnectableSubscription(upstream.connect())) }
    }
  }
}

extension MorePublishers.RefCount: Sendable where Upstream: Sendable {}
