extension Publisher {
  /// Sends the latest value each time `trigger` sends one, if there is a new value.
  ///
  /// ![Marble diagram of sample](sample.svg)
  ///
  /// Everything is requested from both publishers, and a value without demand is dropped. When `trigger` finishes, the
  /// latest value is sent and the stream finishes. After this publisher has finished, the next trigger ends the stream.
  /// A failure of either publisher ends it immediately.
  @_disfavoredOverload
  @inlinable
  public func sample<Trigger: Publisher>(_ trigger: Trigger) -> MorePublishers.Sample<Self, Trigger>
  where Trigger.Failure == Failure {
    MorePublishers.Sample(upstream: self, trigger: trigger)
  }
}

extension MorePublishers {
  /// The publisher returned by ``Streams/Publisher/sample(_:)``.
  public struct Sample<Upstream: Publisher, Trigger: Publisher>: Publisher
  where Upstream.Failure == Trigger.Failure {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose latest value is sent.
    public let upstream: Upstream
    /// The publisher whose values request the latest one.
    public let trigger: Trigger

    /// Creates the publisher that `upstream.sample(trigger)` returns.
    @inlinable
    public init(upstream: Upstream, trigger: Trigger) {
      self.upstream = upstream
      self.trigger = trigger
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      OperatorCore.start("Sample", for: subscriber) { core in
        var latest: Output?
        var isOver = false
        let send = {
          let isLast = isOver  // now: inside the delivery, a value for the next trigger may arrive, and the end
          if let value = latest.take() { core.offer(value) }
          if isLast { core.finish(.finished) }
        }
        core.subscribe(to: trigger, UpstreamHandle(requesting: .unlimited)) { _ in
          send()
        } onCompletion: { completion in
          if completion.isFailure { return core.finish(completion) }
          isOver = true
          send()
        }
        core.subscribe(to: upstream, UpstreamHandle(requesting: .unlimited)) { value in
          let old = latest  // released last: that may trigger
          latest = value
          withExtendedLifetime(old) {}
        } onCompletion: { completion in
          if completion.isFailure { return core.finish(completion) }
          isOver = true
        }
      }
    }
  }
}
