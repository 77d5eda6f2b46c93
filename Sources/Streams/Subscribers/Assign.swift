extension Publisher where Failure == Never {
  /// Assigns each value to a property of `object`.
  ///
  /// ```swift
  /// final class Label { var text = "" }
  /// let label = Label()
  /// let cancellable = Just("Hello").assign(to: \.text, on: label)
  /// print(label.text)
  /// // Prints Hello
  /// ```
  ///
  /// Everything is requested at once. `object` is held strongly until the stream ends or is cancelled. Storing the
  /// result in `object` itself therefore makes a retain cycle, which `assign(to:)` avoids.
  ///
  /// `isolation` is the actor of the property. It defaults to the actor of the call. The assignment runs there, as
  /// ``Subscribers/IsolationPolicy/standard`` describes.
  ///
  /// - Returns: A cancellable that keeps the subscription alive. Releasing it cancels the subscription.
  @inlinable @_transparent
  public func assign<Root>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root,
    isolation: (any Actor)? = #isolation
  ) -> AnyCancellable {
    let assign = Subscribers.Assign(object: object, keyPath: keyPath, isolation: isolation)
    subscribe(assign)
    return AnyCancellable(assign)
  }

  /// The form of Combine, for references to the function itself. The assignment runs where the value arrives.
  @_disfavoredOverload
  @inlinable
  public func assign<Root>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root
  ) -> AnyCancellable {
    assign(to: keyPath, on: object, isolation: nil)
  }
}

extension Subscribers {
  /// A subscriber that requests everything, and assigns each value to a property.
  public final class Assign<Root, Input>: Subscriber, Cancellable {
    public typealias Failure = Never

    /// The property.
    public let keyPath: ReferenceWritableKeyPath<Root, Input>

    /// The owner of the property, for ``object``; `nil` after the end.
    @usableFromInline let target: Guarded<Root?>
    @usableFromInline let sink: Sink<Input, Never>

    /// Creates a subscriber that requests everything, and assigns each value.
    ///
    /// `isolation` is the actor of the property. It defaults to the actor of the call. The assignment runs there, as
    /// ``Subscribers/IsolationPolicy/standard`` describes.
    @inlinable
    public init(
      object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>, isolation: (any Actor)? = #isolation
    ) {
      self.keyPath = keyPath
      target = Guarded(object)
      sink = Sink(Subscribers.IsolationPolicy.delivery(toCaller: isolation)) {
        object[keyPath: keyPath] = $0
      }
    }

    /// The form of Combine, for references to the initializer itself. The assignment runs where the value arrives.
    @_disfavoredOverload
    public convenience init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
      self.init(object: object, keyPath: keyPath, isolation: nil)
    }

    /// The object of the property, or `nil` after the end of the stream.
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
      releaseAll()
    }

    public func cancel() {
      sink.cancel()
      releaseAll()
    }

    @usableFromInline
    func releaseAll() {
      withExtendedLifetime(target.withLock { $0.take() }) {}
    }
  }
}

extension Subscribers.Assign: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  public var description: String { "Assign \(Root.self)." }
  public var customMirror: Mirror {
    Mirror(
      self,
      children: ["object": object as Any, "keyPath": keyPath, "status": sink.lifecycle.status])
  }
  public var playgroundDescription: Any { description }
}
