extension Publisher {
  /// Subscribes again after a failure when a publisher made of the failures says so.
  ///
  /// ```
  /// self    -1-#   -1-2|
  /// trigger -------x
  /// result  -1------1-2|
  /// ```
  ///
  /// `errorTrigger` is called once for each subscription, with a publisher of its failures. What comes back decides: a
  /// value makes the next attempt, if one has failed; its end is the end of the stream. Demand that an attempt has not
  /// met is asked of the next.
  ///
  /// The trigger may fail with another type. A failure that is of this publisher's type ends the stream. Any other ends
  /// the retrying: the stream fails with the failure that waits for an attempt, or as the attempt that is running does.
  @_disfavoredOverload
  @inlinable
  public func retryWhen<Trigger: Publisher>(
    _ errorTrigger: @escaping (AnyPublisher<Failure, Never>) -> Trigger
  ) -> MorePublishers.RetryWhen<Self, Trigger, Output, Failure> {
    MorePublishers.RetryWhen(upstream: self, errorTrigger: errorTrigger)
  }

  /// Subscribes again after this publisher has finished, `times` in all; without end if `nil`.
  ///
  /// ```
  /// self    -1-2|
  /// result  -1-2-1-2-1-2|      repeat(3)
  /// ```
  ///
  /// Demand that is left is asked of the next. A failure passes. Traps if `times` is negative; with zero it finishes at
  /// once.
  @_disfavoredOverload
  public func `repeat`(_ times: Int? = nil) -> MorePublishers.Repeat<Self> {
    MorePublishers.Repeat(upstream: self, times: times) { _ in nil }
  }

  /// Subscribes again after this publisher has finished, when a publisher made of these ends says so.
  ///
  /// `trigger` is called once for each subscription, with a publisher that sends when this one has finished. A value of
  /// what comes back makes the next subscription; its end is the end of the stream.
  @_disfavoredOverload
  public func repeatWhen<Trigger: Publisher>(
    _ trigger: @escaping (AnyPublisher<Void, Never>) -> Trigger
  ) -> MorePublishers.Repeat<Self> where Trigger.Failure == Failure {
    MorePublishers.Repeat(upstream: self, times: nil) { trigger($0).map { _ in }.eraseToAnyPublisher() }
  }
}

extension MorePublishers {
  /// The publisher of `retryWhen(_:)`.
  public struct RetryWhen<Upstream: Publisher, Trigger: Publisher, Output, Failure: Error>: Publisher
  where Output == Upstream.Output, Failure == Upstream.Failure {
    /// The publisher that is subscribed to again.
    public let upstream: Upstream
    /// Makes, of the failures, the publisher that says when to try again.
    public let errorTrigger: (AnyPublisher<Failure, Never>) -> Trigger

    /// The same as `upstream.retryWhen(errorTrigger)`.
    @inlinable
    public init(upstream: Upstream, errorTrigger: @escaping (AnyPublisher<Failure, Never>) -> Trigger) {
      self.upstream = upstream
      self.errorTrigger = errorTrigger
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      Desk.start("Retry", for: subscriber) { desk in
        let failures = PassthroughSubject<Failure, Never>()
        var waiting: Failure?
        var isGuided = true
        let rounds = Rounds(desk, upstream) { completion in
          guard isGuided, case .failure(let error) = completion else { return false }
          waiting = error
          failures.send(error)
          return true
        }
        rounds.obey(errorTrigger(failures.eraseToAnyPublisher())) { error in
          if let error = error as? Failure { return .failure(error) }
          isGuided = false
          return rounds.isRunning ? nil : waiting.map { .failure($0) }
        }
        rounds.next()
      }
    }
  }

  /// The publisher of ``Publisher/repeat(_:)`` and ``Publisher/repeatWhen(_:)``.
  public struct Repeat<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    @usableFromInline let upstream: Upstream
    @usableFromInline let times: Int?
    @usableFromInline let trigger: (AnyPublisher<Void, Never>) -> AnyPublisher<Void, Failure>?

    init(
      upstream: Upstream, times: Int?,
      trigger: @escaping (AnyPublisher<Void, Never>) -> AnyPublisher<Void, Failure>?
    ) {
      if let times, times < 0 { Violation.negativeCount("how often is repeated", times) }
      self.upstream = upstream
      self.times = times
      self.trigger = trigger
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      Desk.start("Repeat", for: subscriber) { desk in
        if times == 0 { return desk.finish(.finished) }
        var left = times.map { $0 - 1 }
        let ends = PassthroughSubject<Void, Never>()
        let trigger = trigger(ends.eraseToAnyPublisher())
        let rounds = Rounds(desk, upstream) { completion in
          if completion.isFailure || left == 0 { return false }
          left = left.map { $0 - 1 }
          ends.send()
          return true
        }
        if let trigger { rounds.obey(trigger) { .failure($0) } } else { rounds.isPrompt = true }
        rounds.next()
      }
    }
  }
}

/// One subscription to the same upstream after another, as a trigger says. The desk must not hold it.
@usableFromInline
final class Rounds<Upstream: Publisher, Downstream: Subscriber>
where Upstream.Output == Downstream.Input, Upstream.Failure == Downstream.Failure {
  @usableFromInline let desk: Desk<Downstream>
  @usableFromInline let upstream: Upstream
  /// Told how a round ended. False if the stream is to end so.
  @usableFromInline let goesOn: (Subscribers.Completion<Upstream.Failure>) -> Bool
  /// Whether the next round begins without being told to.
  @exclusivity(unchecked)  // inside the desk's reception only, as all that follows
  @usableFromInline var isPrompt = false
  @exclusivity(unchecked)
  @usableFromInline var isRunning = false

  @inlinable
  init(
    _ desk: Desk<Downstream>, _ upstream: Upstream,
    goesOn: @escaping (Subscribers.Completion<Upstream.Failure>) -> Bool
  ) {
    self.desk = desk
    self.upstream = upstream
    self.goesOn = goesOn
  }

  /// Subscribes to the trigger: each value makes a round, if none is running.
  ///
  /// - Parameter failed: Makes the end of the stream of the trigger's failure. It goes on if there is none.
  @inlinable
  func obey<Trigger: Publisher>(
    _ trigger: Trigger,
    failed: @escaping (Trigger.Failure) -> Subscribers.Completion<Upstream.Failure>?
  ) {
    desk.open(trigger, DeskLink(asking: .unlimited)) { [self] _ in
      if !isRunning { next() }
    } ended: { [self] completion in
      switch completion {
      case .finished: desk.finish(.finished)
      case .failure(let error): if let end = failed(error) { desk.finish(end) }
      }
    }
  }

  @inlinable
  func next() {
    isRunning = true
    desk.move { [self] in
      desk.follow(upstream) { [self] value in
        desk.emit(value)
      } ended: { [self] completion in
        end(completion)
      }
    }
  }

  @inlinable
  func end(_ completion: Subscribers.Completion<Upstream.Failure>) {
    isRunning = false
    guard goesOn(completion) else { return desk.finish(completion) }
    if isPrompt, !desk.isEnding { next() }
  }
}
