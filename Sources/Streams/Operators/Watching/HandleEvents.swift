extension Publisher {
  /// Calls closures as things happen, each before it is passed on.
  ///
  /// - Parameters:
  ///   - receiveSubscription: Called once, before downstream has the subscription.
  ///   - receiveOutput: Called for each value.
  ///   - receiveCompletion: Called when upstream ends, with or without failure; not when it is cancelled.
  ///   - receiveCancel: Called when downstream cancels, or a stage below stops early; not when upstream ends.
  ///   - receiveRequest: Called for requests, and for a demand above none that answers a value.
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
  /// The publisher of ``Publisher/handleEvents(receiveSubscription:receiveOutput:receiveCompletion:receiveCancel:receiveRequest:)``.
  public struct HandleEvents<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher that is watched.
    public let upstream: Upstream
    /// Called with the subscription, before downstream has it.
    public var receiveSubscription: ((any Subscription) -> Void)?
    /// Called with each value.
    public var receiveOutput: ((Output) -> Void)?
    /// Called when upstream ends.
    public var receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
    /// Called when downstream cancels.
    public var receiveCancel: (() -> Void)?
    /// Called with what downstream asks for.
    public var receiveRequest: ((Subscribers.Demand) -> Void)?

    /// The same as `handleEvents` of `upstream`, with these closures.
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
      upstream.subscribe(Watch(EventHandlers(self), to: subscriber))
    }
  }
}

@frozen @usableFromInline
struct EventHandlers<Upstream: Publisher>: Watcher {
  @usableFromInline typealias Input = Upstream.Output
  @usableFromInline typealias Failure = Upstream.Failure

  @inlinable static var name: String { "HandleEvents" }

  @usableFromInline let receiveSubscription: ((any Subscription) -> Void)?
  @usableFromInline let receiveOutput: ((Input) -> Void)?
  @usableFromInline let receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
  @usableFromInline let receiveCancel: (() -> Void)?
  @usableFromInline let receiveRequest: ((Subscribers.Demand) -> Void)?

  @inlinable
  init(_ publisher: Publishers.HandleEvents<Upstream>) {
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
