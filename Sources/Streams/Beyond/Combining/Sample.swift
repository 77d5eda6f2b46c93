extension Publisher {
  /// Sends the latest value whenever `trigger` sends something, if there is a new one.
  ///
  /// ```
  /// self    -1-2---3---4-|
  /// trigger ----x-x--x-----|
  /// result  ----2----3----(4|)
  /// ```
  ///
  /// Both publishers are asked for everything; a value that is due without demand is lost. The end of `trigger` counts
  /// as a trigger, too, and ends the stream. After this publisher has finished, the next trigger ends the stream. A
  /// failure of either ends it at once.
  @_disfavoredOverload
  @inlinable
  public func sample<Trigger: Publisher>(_ trigger: Trigger) -> MorePublishers.Sample<Self, Trigger>
  where Trigger.Failure == Failure {
    MorePublishers.Sample(upstream: self, trigger: trigger)
  }
}

extension MorePublishers {
  /// The publisher of ``Publisher/sample(_:)``.
  public struct Sample<Upstream: Publisher, Trigger: Publisher>: Publisher
  where Upstream.Failure == Trigger.Failure {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose latest value is sent.
    public let upstream: Upstream
    /// Each value of it asks for the latest one.
    public let trigger: Trigger

    /// The same as `upstream.sample(trigger)`.
    @inlinable
    public init(upstream: Upstream, trigger: Trigger) {
      self.upstream = upstream
      self.trigger = trigger
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      Desk.start("Sample", for: subscriber) { desk in
        var latest: Output?
        var isOver = false
        let send = {
          if let value = latest.take() { desk.offer(value) }
          if isOver { desk.finish(.finished) }
        }
        desk.open(trigger, DeskLink(asking: .unlimited)) { _ in
          send()
        } ended: { completion in
          if completion.isFailure { return desk.finish(completion) }
          isOver = true
          send()
        }
        desk.open(upstream, DeskLink(asking: .unlimited)) { value in
          latest = value
        } ended: { completion in
          if completion.isFailure { return desk.finish(completion) }
          isOver = true
        }
      }
    }
  }
}
