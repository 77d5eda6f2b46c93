extension Publisher where Failure == Never {
  /// Assigns each value to a property of `object`, asking for everything at once.
  ///
  /// `object` is held strongly until the stream ends or is cancelled: storing the result in `object` itself makes a
  /// cycle until then. `assign(to:)` does not.
  ///
  /// `isolation` is where the property belongs: where the call is written, unless said otherwise. There the assignment
  /// is made, as ``IsolationPolicy/standard`` says.
  ///
  /// - Returns: What keeps the subscription alive: dropping it cancels.
  public func assign<Root>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root,
    isolation: (any Actor)? = #isolation
  ) -> AnyCancellable {
    let assign = Subscribers.Assign(object: object, keyPath: keyPath, isolation: isolation)
    subscribe(assign)
    return AnyCancellable(assign)
  }
}

extension Subscribers {
  /// A subscriber that asks for everything and assigns each value to a property.
  public final class Assign<Root, Input>: Subscriber, Cancellable {
    public typealias Failure = Never

    /// The property that is assigned to.
    public let keyPath: ReferenceWritableKeyPath<Root, Input>

    private struct State {
      var object: Root?
      var upstream: (any Subscription)?
      /// Assigns where the property belongs; and what a cancellation must see to for that.
      var assign: ((Input) -> Void)?
      var onCancel: (() -> Void)?
    }

    private let state: Guarded<State>

    /// A subscriber that asks for everything, and assigns it on `isolation`, where the property belongs: where the call
    /// is written, unless said otherwise.
    public init(
      object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>, isolation: (any Actor)? = #isolation
    ) {
      self.keyPath = keyPath
      let route = IsolationPolicy.standard.route(to: isolation) { (value: Input) in
        object[keyPath: keyPath] = value
      }
      state = Guarded(State(object: object, assign: route.take, onCancel: route.cancel))
    }

    /// The object that is assigned to; `nil` once the stream is over.
    public var object: Root? { state.withLock { $0.object } }

    public func receive(subscription: any Subscription) {
      let isFirst = state.withLock { state in
        guard state.upstream == nil, state.object != nil else { return false }
        state.upstream = subscription
        return true
      }
      isFirst ? subscription.request(.unlimited) : subscription.cancel()
    }

    public func receive(_ input: Input) -> Demand {
      let assign = state.withLock { $0.upstream == nil ? nil : $0.assign }
      assign?(input)
      return .none
    }

    public func receive(completion: Completion<Never>) { _ = take() }

    public func cancel() {
      let taken = take()
      taken.upstream?.cancel()
      taken.onCancel?()
    }

    private func take() -> State {
      state.withLock { state in
        defer { state = State() }
        return state
      }
    }
  }
}

extension Subscribers.Assign: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  public var description: String { "Assign \(Root.self)." }
  public var customMirror: Mirror {
    let (object, status) = state.withLock { state in
      (
        state.object,
        state.object == nil ? "terminal" : state.upstream == nil ? "awaitingSubscription" : "subscribed"
      )
    }
    return Mirror(self, children: ["object": object as Any, "keyPath": keyPath, "status": status])
  }
  public var playgroundDescription: Any { description }
}
