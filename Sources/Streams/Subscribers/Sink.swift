extension Publisher {
  /// Calls closures for each value and for the completion.
  ///
  /// ```swift
  /// let cancellable = [1, 2].publisher.sink(
  ///   receiveCompletion: { completion in print("completed: \(completion)") },
  ///   receiveValue: { value in print(value) })
  /// // Prints 1, 2, completed: finished
  /// ```
  ///
  /// Everything is requested at once. `isolation` is the actor of the closures. It defaults to the actor of the call:
  /// closures that you pass on the main actor run there. See ``Subscribers/IsolationPolicy``. Where the call belongs to no
  /// actor, the closures are called where the values arrive.
  ///
  /// - Returns: A cancellable that keeps the subscription alive. Releasing it cancels the subscription.
  @inlinable @_transparent
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void,
    isolation: (any Actor)? = #isolation
  ) -> AnyCancellable {
    if isolation == nil, let constant = valueUnseen {
      receiveValue(constant)
      receiveCompletion(.finished)
      return AnyCancellable()
    }
    let sink = Subscribers.Sink(
      receiveCompletion: receiveCompletion, receiveValue: receiveValue, isolation: isolation)
    subscribe(sink)
    return AnyCancellable(sink)
  }

  /// The form of Combine, for references to the function itself. The closures are called where the values arrive.
  @_disfavoredOverload
  @inlinable
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    sink(receiveCompletion: receiveCompletion, receiveValue: receiveValue, isolation: nil)
  }

  /// Calls closures for each value and for the completion, with an isolation policy for this subscription.
  ///
  /// - Returns: A cancellable that keeps the subscription alive. Releasing it cancels the subscription.
  @inlinable @_transparent
  public func sink(
    isolation policy: Subscribers.IsolationPolicy,
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
  /// Calls a closure for each value of a publisher that never fails.
  ///
  /// Everything is requested at once. `isolation` is the actor of the closure, by default that of the call.
  ///
  /// - Returns: A cancellable that keeps the subscription alive. Releasing it cancels the subscription.
  @inlinable @_transparent
  public func sink(
    receiveValue: @escaping (Output) -> Void, isolation: (any Actor)? = #isolation
  ) -> AnyCancellable {
    if isolation == nil, let constant = valueUnseen {
      receiveValue(constant)
      return AnyCancellable()
    }
    let sink = Subscribers.Sink<Output, Failure>(
      Subscribers.IsolationPolicy.delivery(toCaller: isolation), receiveValue: receiveValue)
    subscribe(sink)
    return AnyCancellable(sink)
  }

  /// The form of Combine, for references to the function itself. The closure is called where the values arrive.
  @_disfavoredOverload
  @inlinable
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    sink(receiveValue: receiveValue, isolation: nil)
  }

  /// Calls a closure for each value of a publisher that never fails, with an isolation policy for this subscription.
  ///
  /// - Returns: A cancellable that keeps the subscription alive. Releasing it cancels the subscription.
  @inlinable @_transparent
  public func sink(
    isolation policy: Subscribers.IsolationPolicy, receiveValue: @escaping @isolated(any) (Output) -> Void
  ) -> AnyCancellable {
    sink(isolation: policy, receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}

extension Subscribers {
  /// A subscriber that requests everything, and calls closures.
  ///
  /// The closures are released when the stream ends or is cancelled.
  public final class Sink<Input, Failure: Error>: Subscriber, Cancellable, LifecycleOwner {
    @usableFromInline let lifecycle = LifecycleState()
    @exclusivity(unchecked)  // written before it counts as attached, and cleared when the last one leaves the lifecycle state
    @usableFromInline var upstream: SubscriptionObject?
    @exclusivity(unchecked)  // cleared when the last one leaves the lifecycle state
    @usableFromInline var handlers: Handlers<Input, Failure>?

    /// Calls the closures; `nil` if they are called directly.
    @usableFromInline let delivery: ActorDelivery?

    /// Creates a subscriber that requests everything, and calls closures.
    ///
    /// `isolation` is the actor of the closures, by default that of the call.
    @inlinable
    public convenience init(
      receiveCompletion: @escaping (Completion<Failure>) -> Void,
      receiveValue: @escaping (Input) -> Void,
      isolation: (any Actor)? = #isolation
    ) {
      self.init(
        Subscribers.IsolationPolicy.delivery(toCaller: isolation),
        receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    }

    /// The form of Combine, for references to the initializer itself. The closures are called where the values arrive.
    @_disfavoredOverload
    public convenience init(
      receiveCompletion: @escaping (Completion<Failure>) -> Void,
      receiveValue: @escaping (Input) -> Void
    ) {
      self.init(nil, receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    }

    /// Creates a subscriber that requests everything, and calls closures under an isolation policy.
    @inlinable
    public init(
      isolation policy: @autoclosure () -> Subscribers.IsolationPolicy,
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

    /// Creates a sink whose closures belong to the actor of `delivery`.
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

    /// The closure that is called for each value. After the end of the stream, one that does nothing.
    public var receiveValue: (Input) -> Void {
      guard lifecycle.enterEarly() else { return leave(answering: { _ in }) }
      return leave(answering: handlers?.valueHandler() ?? { _ in })
    }

    /// The closure that is called for the completion. After the end of the stream, one that does nothing.
    public var receiveCompletion: (Completion<Failure>) -> Void {
      guard lifecycle.enterEarly(), let handler = handlers?.completionHandler() else {
        return leave(answering: { _ in })
      }
      guard let delivery else { return leave(answering: handler) }
      return leave { completion in delivery.finish { handler(completion) } }
    }

    @inlinable
    public func receive(subscription: any Subscription) {
      let hasClaimed = lifecycle.enterClaiming()
      defer { leave() }
      let held = subscription._held  // and not `subscription` below: each use of that calls its witnesses
      guard hasClaimed else { return held.cancel() }
      upstream = held
      // Whichever is second, the attachment or a cancellation, cancels upstream.
      guard lifecycle.attach(under: held._gate) else { return held.cancel() }
      held.request(.unlimited)
    }

    @inlinable @inline(__always)
    public func receive(_ input: Input) -> Demand {
      // As in Combine, a sink takes a value that arrives before a subscription.
      if lifecycle.isCovered {
        if lifecycle.isOpen { call(input) }
      } else {
        receiveFromElsewhere(input)
      }
      return .none
    }

    /// The same for a thread that is not inside the gate. Apart, so that the usual path saves no registers for it.
    @inlinable @inline(never)
    func receiveFromElsewhere(_ input: Input) {
      if lifecycle.enterEarly() { call(input) }
      leave()
    }

    /// The same, but ignores values that arrive before a subscription.
    @inlinable @inline(__always)
    func receiveUnlessEarly(_ input: Input) {
      if lifecycle.isCovered {
        if lifecycle.isOpen { call(input) }
      } else if lifecycle.isAttached {
        receiveFromElsewhere(input)
      }
    }

    @inlinable @inline(__always)
    func call(_ input: Input) {
      switch handlers {
      case .some(let handlers): handlers.value(input)
      case .none: Violation.impossible()  // they are released when the stream is over and no thread is inside
      }
    }

    @inlinable
    public func receive(completion: Completion<Failure>) {
      let isOpen = lifecycle.enterEarly()
      defer { leave() }
      guard isOpen, lifecycle.close(for: self) else { return }
      if let delivery { finish(completion, by: delivery) } else { handlers!.completion(completion) }
    }

    @usableFromInline
    func finish(_ completion: Completion<Failure>, by delivery: ActorDelivery) {
      let handler = handlers!.completionHandler()
      delivery.finish { handler?(completion) }
    }

    @usableFromInline
    func stop() {
      if lifecycle.cancel(for: self, { upstream?.cancel() }) { releaseAll() }
    }

    /// Cancels the subscription, and releases the closures.
    public func cancel() {
      stop()
      delivery?.close()
    }

    @inlinable @inline(__always)
    package func leave() {
      if lifecycle.leave() { releaseAll() }
    }

    private func leave<Answer>(answering answer: Answer) -> Answer {
      leave()
      return answer
    }

    @usableFromInline @inline(never)
    func releaseAll() {
      upstream = nil  // no thread is inside, and one that enters now does not access it
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
