extension Publisher {
  /// Stops in the debugger when a closure returns true, before the signal is passed on.
  ///
  /// <doc:/Guides/debugging> compares this with other tools.
  @inlinable
  public func breakpoint(
    receiveSubscription: ((any Subscription) -> Bool)? = nil,
    receiveOutput: ((Output) -> Bool)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)? = nil
  ) -> Publishers.Breakpoint<Self> {
    Publishers.Breakpoint(
      upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
      receiveCompletion: receiveCompletion)
  }

  /// Stops in the debugger when this publisher fails.
  @inlinable
  public func breakpointOnError() -> Publishers.Breakpoint<Self> {
    breakpoint(receiveCompletion: { if case .failure = $0 { true } else { false } })
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/breakpoint(receiveSubscription:receiveOutput:receiveCompletion:)``.
  public struct Breakpoint<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The observed publisher.
    public let upstream: Upstream
    /// Whether to stop at the subscription.
    public let receiveSubscription: ((any Subscription) -> Bool)?
    /// Whether to stop at a value.
    public let receiveOutput: ((Upstream.Output) -> Bool)?
    /// Whether to stop at the completion.
    public let receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)?

    /// Creates the publisher that `breakpoint` of `upstream` returns.
    @inlinable
    public init(
      upstream: Upstream, receiveSubscription: ((any Subscription) -> Bool)? = nil,
      receiveOutput: ((Upstream.Output) -> Bool)? = nil,
      receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)? = nil
    ) {
      self.upstream = upstream
      self.receiveSubscription = receiveSubscription
      self.receiveOutput = receiveOutput
      self.receiveCompletion = receiveCompletion
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.attach(BreakpointSubscriber(self, subscriber))
    }
  }
}

@frozen @usableFromInline
struct BreakpointSubscriber<Downstream: Subscriber>: StatelessSubscriber {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let stopsAtSubscription: ((any Subscription) -> Bool)?
  @usableFromInline let stopsAtOutput: ((Input) -> Bool)?
  @usableFromInline let stopsAtCompletion: ((Subscribers.Completion<Failure>) -> Bool)?
  @usableFromInline let downstream: Downstream

  @inlinable
  init<Upstream: Publisher<Input, Failure>>(
    _ conditions: Publishers.Breakpoint<Upstream>, _ downstream: Downstream
  ) {
    // Not the publisher itself: it holds upstream, which may hold this (law C21).
    stopsAtSubscription = conditions.receiveSubscription
    stopsAtOutput = conditions.receiveOutput
    stopsAtCompletion = conditions.receiveCompletion
    self.downstream = downstream
  }

  @inlinable
  func receive(subscription: any Subscription) {
    if stopsAtSubscription?(subscription) == true { Violation.breakpoint() }
    downstream.receive(subscription: subscription)
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    if stopsAtOutput?(input) == true { Violation.breakpoint() }
    return downstream.receive(input)
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    if stopsAtCompletion?(completion) == true { Violation.breakpoint() }
    downstream.receive(completion: completion)
  }
}
