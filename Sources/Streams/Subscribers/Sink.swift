extension Publisher {
  /// Calls `receiveValue` for each value and `receiveCompletion` at the end, asking for everything at once.
  ///
  /// A closure that belongs to an actor, as one written in a `@MainActor` class does, runs on that actor; see
  /// ``IsolationPolicy``. Any other is called where upstream sends.
  ///
  /// - Returns: What keeps the subscription alive: dropping it cancels.
  @inlinable @_transparent
  public func sink(
    receiveCompletion: @escaping @isolated(any) (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @isolated(any) (Output) -> Void
  ) -> AnyCancellable {
    if let constant = valueUnseen, receiveCompletion.isolation == nil, receiveValue.isolation == nil {
      withoutIsolation(receiveValue)(constant)
      withoutIsolation(receiveCompletion)(.finished)
      return AnyCancellable()
    }
    let sink = Subscribers.Sink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    subscribe(sink)
    return AnyCancellable(sink)
  }

  /// The same with a policy of its own for closures that belong to an actor.
  @inlinable @_transparent
  public func sink(
    isolation policy: IsolationPolicy,
    receiveCompletion: @escaping @isolated(any) (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @isolated(any) (Output) -> Void
  ) -> AnyCancellable {
    let sink = Subscribers.Sink(
      isolation: policy, receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    subscribe(sink)
    return AnyCancellable(sink)
  }
}

extension Publisher where Failure == Never {
  /// Calls `receiveValue` for each value, asking for everything at once.
  ///
  /// - Returns: What keeps the subscription alive: dropping it cancels.
  @inlinable @_transparent
  public func sink(receiveValue: @escaping @isolated(any) (Output) -> Void) -> AnyCancellable {
    if let constant = valueUnseen, receiveValue.isolation == nil {
      withoutIsolation(receiveValue)(constant)
      return AnyCancellable()
    }
    let sink = Subscribers.Sink<Output, Failure>(receiveValue: receiveValue)
    subscribe(sink)
    return AnyCancellable(sink)
  }
}

extension Subscribers {
  /// A subscriber that asks for everything and calls closures.
  ///
  /// The closures are let go of when the stream ends or is cancelled.
  public final class Sink<Input, Failure: Error>: Subscriber, Cancellable {
    @usableFromInline let turnstile = Turnstile()
    @usableFromInline let lock = Lock()
    @exclusivity(unchecked)  // under the lock only: a sink can be cancelled while its subscription arrives
    @usableFromInline var upstream: HeldSubscription?
    @exclusivity(unchecked)  // cleared when the last one leaves the turnstile
    @usableFromInline var handlers: Handlers<Input, Failure>?

    /// For closures that belong to an actor.
    @usableFromInline let delivery: ActorDelivery?

    /// A subscriber that asks for everything, and calls these closures.
    @inlinable
    public convenience init(
      receiveCompletion: @escaping @isolated(any) (Completion<Failure>) -> Void,
      receiveValue: @escaping @isolated(any) (Input) -> Void
    ) {
      self.init(
        isolation: .standard, receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    }

    /// The same with a policy of its own for closures that belong to an actor.
    @inlinable
    public init(
      isolation policy: @autoclosure () -> IsolationPolicy,
      receiveCompletion: @escaping @isolated(any) (Completion<Failure>) -> Void,
      receiveValue: @escaping @isolated(any) (Input) -> Void
    ) {
      let take = withoutIsolation(receiveValue), complete = withoutIsolation(receiveCompletion)
      let actor = receiveValue.isolation, lastActor = receiveCompletion.isolation
      if actor != nil || lastActor != nil, let delivery = policy().delivery(to: actor, last: lastActor) {
        handlers = Handlers(receiveCompletion: complete, receiveValue: delivery.delivering(take))
        self.delivery = delivery
      } else {
        handlers = Handlers(receiveCompletion: complete, receiveValue: take)
        delivery = nil
      }
    }

    /// One that is told of values only.
    @inlinable
    init(receiveValue: @escaping @isolated(any) (Input) -> Void) {
      let take = withoutIsolation(receiveValue)
      if let actor = receiveValue.isolation, let delivery = IsolationPolicy.standard.delivery(to: actor) {
        handlers = Handlers(receiveCompletion: nil, receiveValue: delivery.delivering(take))
        self.delivery = delivery
      } else {
        handlers = Handlers(receiveCompletion: nil, receiveValue: take)
        delivery = nil
      }
    }

    /// One whose closures belong where `delivery` delivers.
    @inlinable
    init(
      _ delivery: ActorDelivery?, receiveCompletion: ((Completion<Failure>) -> Void)? = nil,
      receiveValue: @escaping (Input) -> Void
    ) {
      handlers = Handlers(
        receiveCompletion: receiveCompletion,
        receiveValue: delivery == nil ? receiveValue : delivery!.delivering(receiveValue))
      self.delivery = delivery
    }

    /// What is called for each value; does nothing once the stream is over.
    public var receiveValue: (Input) -> Void {
      guard turnstile.enterEarly() else { return leave(answering: { _ in }) }
      return leave(answering: handlers?.valueHandler() ?? { _ in })
    }

    /// What is called at the end; does nothing once the stream is over.
    public var receiveCompletion: (Completion<Failure>) -> Void {
      guard turnstile.enterEarly(), let handler = handlers?.completionHandler() else {
        return leave(answering: { _ in })
      }
      guard let delivery else { return leave(answering: handler) }
      return leave { completion in delivery.finish { handler(completion) } }
    }

    @inlinable
    public func receive(subscription: any Subscription) {
      _ = turnstile.enterEarly()
      defer { leave() }
      let held = subscription._held  // and not `subscription` below: each use of it goes through its witnesses
      guard turnstile.attach() else { return held.cancel() }
      lock.take()
      upstream = held
      lock.give()
      if turnstile.isOpen { held.request(.unlimited) } else { cancelUpstream() }
    }

    @inlinable @inline(__always)
    public func receive(_ input: Input) -> Demand {
      // As in Combine, a sink takes a value that comes before a subscription.
      if turnstile.enterEarly() { call(input) }
      leave()
      return .none
    }

    /// The same, but nothing that comes before a subscription.
    @inlinable @inline(__always)
    func receiveUnlessEarly(_ input: Input) {
      if turnstile.enter() { call(input) }
      leave()
    }

    @inlinable @inline(__always)
    func call(_ input: Input) {
      switch handlers {
      case .some(let handlers): handlers.value(input)
      case .none: Violation.impossible()  // they are put away when the stream is over and nobody is inside
      }
    }

    @inlinable
    public func receive(completion: Completion<Failure>) {
      let isOpen = turnstile.enterEarly()
      defer { leave() }
      guard isOpen, turnstile.close() else { return }
      if let delivery { finish(completion, by: delivery) } else { handlers!.completion(completion) }
    }

    @usableFromInline
    func finish(_ completion: Completion<Failure>, by delivery: ActorDelivery) {
      let handler = handlers!.completionHandler()
      delivery.finish { handler?(completion) }
    }

    @usableFromInline
    func stop() {
      _ = turnstile.enter()
      defer { leave() }
      if turnstile.close() { cancelUpstream() }
    }

    /// Once: for whoever comes second, the cancellation or the subscription.
    @usableFromInline
    func cancelUpstream() { lock.withLock { upstream.take() }?.cancel() }

    /// Cancels the subscription, and lets go of the closures.
    public func cancel() {
      stop()
      delivery?.close()
    }

    @inlinable @inline(__always)
    func leave() {
      if turnstile.leave() { putAway() }
    }

    private func leave<Answer>(answering answer: Answer) -> Answer {
      leave()
      return answer
    }

    @usableFromInline @inline(never)
    func putAway() {
      upstream = nil  // nobody is inside, and who comes now does not touch it
      handlers = nil
    }
  }
}

extension Subscribers.Sink: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  public var description: String { "Sink" }
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
  public var playgroundDescription: Any { description }
}

/// The two closures of a sink. Not copyable, so that they are called where they lie.
@frozen @usableFromInline
struct Handlers<Input, Failure: Error>: ~Copyable {
  @usableFromInline let receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
  @usableFromInline let receiveValue: (Input) -> Void

  @inlinable
  init(
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?,
    receiveValue: @escaping (Input) -> Void
  ) {
    self.receiveCompletion = receiveCompletion
    self.receiveValue = receiveValue
  }

  @inlinable @inline(__always)
  borrowing func value(_ input: Input) { receiveValue(input) }

  @inlinable
  borrowing func completion(_ completion: Subscribers.Completion<Failure>) { receiveCompletion?(completion) }

  borrowing func valueHandler() -> (Input) -> Void { receiveValue }

  borrowing func completionHandler() -> ((Subscribers.Completion<Failure>) -> Void)? { receiveCompletion }
}
