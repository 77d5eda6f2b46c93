extension IsolationPolicy {
  /// The two closures of a sink as closures that may be called anywhere.
  ///
  /// - Returns: The closures, and what must be done when the sink is cancelled.
  @usableFromInline
  func route<Input, Failure: Error>(
    _ receiveCompletion: @escaping @isolated(any) (Subscribers.Completion<Failure>) -> Void,
    _ receiveValue: @escaping @isolated(any) (Input) -> Void
  ) -> (
    completion: (Subscribers.Completion<Failure>) -> Void, value: (Input) -> Void, cancel: (() -> Void)?
  ) {
    let completionActor = receiveCompletion.isolation
    let valueActor = receiveValue.isolation
    let complete = withoutIsolation(receiveCompletion)
    let take = withoutIsolation(receiveValue)
    guard self != .trust, let actor = valueActor ?? completionActor else { return (complete, take, nil) }

    // An end for another actor sets out when the values before it have been delivered.
    var onward: Courier<Subscribers.Completion<Failure>>?
    if let completionActor, completionActor !== actor {
      onward = Courier(to: completionActor, policy: self) { completion in
        complete(completion)
        return true
      }
    }
    let last = onward
    let courier = Courier<SinkSignal<Input, Failure>>(to: actor, policy: self) { signal in
      switch signal {
      case .value(let value): take(value)
      case .completion(let completion): last.map { $0.accept(completion) } ?? complete(completion)
      }
      return signal.isLast
    }
    return (
      { courier.accept(.completion($0)) }, { courier.accept(.value($0)) },
      {
        courier.close()
        last?.close()
      }
    )
  }
}

extension IsolationPolicy {
  /// A closure without arguments, as one that may be called anywhere.
  @usableFromInline
  func route(_ closure: @escaping @isolated(any) () -> Void) -> () -> Void {
    let call = withoutIsolation(closure)
    guard self != .trust, let actor = closure.isolation else { return call }
    let courier = Courier<Void>(to: actor, policy: self) {
      call()
      return true
    }
    return { courier.accept(()) }
  }

  /// A closure that was written on `actor`, as one that may be called anywhere, and how to stop it.
  func route<Value>(
    to actor: (any Actor)?, _ closure: @escaping (Value) -> Void
  ) -> (take: (Value) -> Void, cancel: (() -> Void)?) {
    guard self != .trust, let actor else { return (closure, nil) }
    let courier = Courier<Value>(to: actor, policy: self) { value in
      closure(value)
      return false
    }
    return ({ courier.accept($0) }, { courier.close() })
  }
}

/// What a sink gets.
enum SinkSignal<Input, Failure: Error> {
  case value(Input)
  case completion(Subscribers.Completion<Failure>)

  var isLast: Bool {
    if case .completion = self { true } else { false }
  }
}

extension SinkSignal: Sendable where Input: Sendable {}
