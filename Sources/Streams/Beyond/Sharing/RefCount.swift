extension ConnectablePublisher {
  /// Connects when `minSubscribers` are there, and disconnects when the last has cancelled.
  ///
  /// With one that is ``autoconnect()``.
  @_disfavoredOverload
  public func refCount(minSubscribers: Int = 1) -> MorePublishers.RefCount<Self> {
    MorePublishers.RefCount(self, minSubscribers, wait: nil)
  }

  /// Connects when `minSubscribers` are there, and disconnects when there has been nobody for `interval`.
  ///
  /// ```
  /// first   ^----!
  /// second          ^------!          refCount(disconnectAfter: 5 columns)
  /// upstream^-------------------!
  /// ```
  ///
  /// Who comes back in time finds the connection as it was. After the end of the stream, who comes is not connected
  /// again. Traps if `minSubscribers` is less than one.
  @_disfavoredOverload
  public func refCount<Context: Scheduler>(
    minSubscribers: Int = 1, disconnectAfter interval: Context.SchedulerTimeType.Stride, scheduler: Context,
    options: Context.SchedulerOptions? = nil
  ) -> MorePublishers.RefCount<Self> {
    MorePublishers.RefCount(self, minSubscribers) { end in
      let alarm = Alarm(on: scheduler, options: options)
      alarm.set(after: interval, end)
      return AnyCancellable { alarm.callOff() }
    }
  }
}

extension MorePublishers {
  /// The publisher of ``ConnectablePublisher/refCount(minSubscribers:)``.
  public final class RefCount<Upstream: ConnectablePublisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    @usableFromInline
    final class Session {}

    @usableFromInline let upstream: Upstream
    @usableFromInline let gathering: Gathering<Session>

    init(
      _ upstream: Upstream, _ minimum: Int, wait: ((@escaping () -> Void) -> any Cancellable)?
    ) {
      if minimum < 1 { Violation.emptyGroup(minimum) }
      self.upstream = upstream
      gathering = Gathering(minimum: minimum, outlives: true, make: { Session() }, wait: wait) { _, _ in
        upstream.connect()
      }
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let session = gathering.join()
      upstream.subscribe(
        Watch(Doorkeeper { [gathering] in gathering.leave(0, session) }, to: subscriber))
      gathering.begin(session)
    }
  }
}
