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
  @inlinable @_transparent
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

    /// What the property belongs to, for ``object``; until the end.
    @usableFromInline let target: Guarded<Root?>
    @usableFromInline let sink: Sink<Input, Never>

    /// A subscriber that asks for everything, and assigns it on `isolation`, where the property belongs: where the call
    /// is written, unless said otherwise.
    @inlinable
    public init(
      object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>, isolation: (any Actor)? = #isolation
    ) {
      self.keyPath = keyPath
      target = Guarded(object)
      sink = Sink(isolation.flatMap { IsolationPolicy.standard.delivery(to: $0) }) {
        object[keyPath: keyPath] = $0
      }
    }

    /// The object that is assigned to; `nil` once the stream is over.
    public var object: Root? { target.withLock { $0 } }

    @inlinable
    public func receive(subscription: any Subscription) { sink.receive(subscription: subscription) }

    @inlinable @inline(__always)
    public func receive(_ input: Input) -> Demand {
      sink.receiveUnlessEarly(input)
      return .none
    }

    @inlinable
    public func receive(completion: Completion<Never>) {
      sink.receive(completion: completion)
      letGo()
    }

    public func cancel() {
      sink.cancel()
      letGo()
    }

    @usableFromInline
    func letGo() {
      withExtendedLifetime(target.withLock { $0.take() }) {}
    }
  }
}

extension Subscribers.Assign: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  public var description: String { "Assign \(Root.self)." }
  public var customMirror: Mirror {
    Mirror(
      self,
      children: ["object": object as Any, "keyPath": keyPath, "status": sink.turnstile.status])
  }
  public var playgroundDescription: Any { description }
}
