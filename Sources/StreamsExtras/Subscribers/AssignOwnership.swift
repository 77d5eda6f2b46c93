/// How ``Streams/Publisher/assign(to:on:ownership:isolation:)`` references the object of the property.
public enum ObjectOwnership: Hashable, Sendable {
  /// A strong reference, for as long as the subscription.
  case strong
  /// A weak reference. Values after the deallocation of the object are dropped.
  case weak
  /// An unowned reference. A value after the deallocation of the object traps.
  case unowned
}

extension Publisher where Failure == Never {
  /// Assigns each value to a property of `object`, with a strong, weak or unowned reference.
  ///
  /// Everything is requested at once. `isolation` is the actor of the property, by default that of the call.
  ///
  /// - Returns: A cancellable that keeps the subscription alive. Releasing it cancels the subscription.
  @_disfavoredOverload
  public func assign<Root: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root, ownership: ObjectOwnership,
    isolation: (any Actor)? = #isolation
  ) -> AnyCancellable {
    sink(receiveValue: Target(keyPath, object, ownership).assign, isolation: isolation)
  }

  /// Assigns each value to properties of two objects. See ``assign(to:on:ownership:isolation:)``.
  @_disfavoredOverload
  public func assign<Root1: AnyObject, Root2: AnyObject>(
    to keyPath1: ReferenceWritableKeyPath<Root1, Output>, on object1: Root1,
    and keyPath2: ReferenceWritableKeyPath<Root2, Output>, on object2: Root2,
    ownership: ObjectOwnership = .strong, isolation: (any Actor)? = #isolation
  ) -> AnyCancellable {
    let targets = [Target(keyPath1, object1, ownership).assign, Target(keyPath2, object2, ownership).assign]
    return sink(receiveValue: { value in for assign in targets { assign(value) } }, isolation: isolation)
  }

  /// Assigns each value to properties of three objects. See ``assign(to:on:ownership:isolation:)``.
  @_disfavoredOverload
  public func assign<Root1: AnyObject, Root2: AnyObject, Root3: AnyObject>(
    to keyPath1: ReferenceWritableKeyPath<Root1, Output>, on object1: Root1,
    and keyPath2: ReferenceWritableKeyPath<Root2, Output>, on object2: Root2,
    and keyPath3: ReferenceWritableKeyPath<Root3, Output>, on object3: Root3,
    ownership: ObjectOwnership = .strong, isolation: (any Actor)? = #isolation
  ) -> AnyCancellable {
    let targets = [
      Target(keyPath1, object1, ownership).assign, Target(keyPath2, object2, ownership).assign,
      Target(keyPath3, object3, ownership).assign,
    ]
    return sink(receiveValue: { value in for assign in targets { assign(value) } }, isolation: isolation)
  }
}

/// One property to assign to.
private struct Target<Value> {
  let assign: (Value) -> Void

  init<Root: AnyObject>(
    _ keyPath: ReferenceWritableKeyPath<Root, Value>, _ object: Root, _ ownership: ObjectOwnership
  ) {
    switch ownership {
    case .strong: assign = { object[keyPath: keyPath] = $0 }
    case .weak: assign = { [weak object] in object?[keyPath: keyPath] = $0 }
    case .unowned: assign = { [unowned object] in object[keyPath: keyPath] = $0 }
    }
  }
}
