extension Publisher {
  /// Calls closures for signals, before they are passed on.
  ///
  /// ```swift
  /// let cancellable = [1, 2].publisher
  ///   .handleEvents(receiveOutput: { print("value \($0)") }, receiveCompletion: { print($0) })
  ///   .collect()
  ///   .sink { print($0) }
  /// // Prints value 1, value 2, finished, [1, 2]
  /// ```
  ///
  /// - Parameters:
  ///   - receiveSubscription: Called once, before the downstream receives the subscription.
  ///   - receiveOutput: Called for each value.
  ///   - receiveCompletion: Called when the upstream finishes or fails. Not called for a cancellation.
  ///   - receiveCancel: Called when the downstream cancels, or a later stage ends early. Not called for a completion.
  ///   - receiveRequest: Called for requests, and for a demand above none that the downstream returns for a value.
  @inlinable
  public func handleEvents(
    receiveSubscription: ((any Subscription) -> Void)? = nil,
    receiveOutput: ((Output) -> Void)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil,
    receiveCancel: (() -> Void)? = nil,
    receiveRequest: ((Subscribers.Demand) -> Void)? = nil
  ) -> Publishers.HandleEvents<Self> {
    Publishers.HandleEvents(
      upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
      receiveCompletion: receiveCompletion, receiveCancel: receiveCancel, receiveRequest: receiveRequest)
  }
}

extension Publishers {
  /// The publisher returned by
  /// ``Publisher/handleEvents(receiveSubscription:receiveOutput:receiveCompletion:receiveCancel:receiveRequest:)``.
  public struct HandleEvents<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The observed publisher.
    public let upstream: Upstream
    /// Called with the subscription, before the downstream receives it.
    public var receiveSubscription: ((any Subscription) -> Void)?
    /// Called with each value.
    public var receiveOutput: ((Output) -> Void)?
    /// Called with the completion.
    public var receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
    /// Called when the downstream cancels.
    public var receiveCancel: (() -> Void)?
    /// Called with the demand of the downstream.
    public var receiveRequest: ((Subscribers.Demand) -> Void)?

    /// Creates the publisher that `handleEvents` of `upstream` returns.
    @inlinable
    public init(
      upstream: Upstream,
      receiveSubscription: ((any Subscription) -> Void)? = nil,
      receiveOutput: ((Output) -> Void)? = nil,
      receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil,
      receiveCancel: (() -> Void)? = nil,
      receiveRequest: ((Subscribers.Demand) -> Void)?
    ) {
      self.upstream = upstream
      self.receiveSubscription = receiveSubscription
      self.receiveOutput = receiveOutput
      self.receiveCompletion = receiveCompletion
      self.receiveCancel = receiveCancel
      self.receiveRequest = receiveRequest
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.attach(TapSubscription(EventHandlers(self), to: subscriber))
    }
  }
}

@frozen @usableFromInline
struct EventHandlers<Input, Failure: Error>: Tap {
  @inlinable static var name: String { "HandleEvents" }

  @usableFromInline let receiveSubscription: ((any Subscription) -> Void)?
  @usableFromInline let receiveOutput: ((Input) -> Void)?
  @usableFromInline let receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
  @usableFromInline let receiveCancel: (() -> Void)?
  @usableFromInline let receiveRequest: ((Subscribers.Demand) -> Void)?

  @inlinable
  init<Upstream: Publisher<Input, Failure>>(_ publisher: Publishers.HandleEvents<Upstream>) {
    receiveSubscription = publisher.receiveSubscription
    receiveOutput = publisher.receiveOutput
    receiveCompletion = publisher.receiveCompletion
    receiveCancel = publisher.receiveCancel
    receiveRequest = publisher.receiveRequest
  }

  @inlinable
  func saw(subscription: any Subscription) { receiveSubscription?(subscription) }

  @inlinable @inline(__always)
  func saw(value: Input) { receiveOutput?(value) }

  @inlinable
  func saw(answer: Subscribers.Demand) {
    if answer > .none { receiveRequest?(answer) }
  }

  @inlinable
  func saw(completion: Subscribers.Completion<Failure>) { receiveCompletion?(completion) }

  @inlinable
  func saw(request: Subscribers.Demand) { receiveRequest?(request) }

  @inlinable
  func sawCancel() { receiveCancel?() }
}
