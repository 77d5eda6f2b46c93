/// How ``Publisher/assign(to:on:ownership:)`` references the object of the property.
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
  /// Everything is requested at once. The assignment runs where the value arrives. For a property that is isolated to
  /// an actor, use ``assign(to:on:isolation:)``.
  ///
  /// - Returns: A cancellable that keeps the subscription alive. Releasing it cancels the subscription.
  @_disfavoredOverload
  public func assign<Root: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root, ownership: ObjectOwnership
  ) -> AnyCancellable {
    switch ownership {
    case .strong: sink { object[keyPath: keyPath] = $0 }
    case .weak: sink { [weak object] in object?[keyPath: keyPath] = $0 }
    case .unowned: sink { [unowned object] in object[keyPath: keyPath] = $0 }
    }
  }

  /// Assigns each value to properties of two objects. See ``assign(to:on:ownership:)``.
  @_disfavoredOverload
  public func assign<Root1: AnyObject, Root2: AnyObject>(
    to keyPath1: ReferenceWritableKeyPath<Root1, Output>, on object1: Root1,
    and keyPath2: ReferenceWritableKeyPath<Root2, Output>, on object2: Root2,
    ownership: ObjectOwnership = .strong
  ) -> AnyCancellable {
    let targets = [Target(keyPath1, object1, ownership).assign, Target(keyPath2, object2, ownership).assign]
    return sink { value in for assign in targets { assign(value) } }
  }

  /// Assigns each value to properties of three objects. See ``assign(to:on:ownership:)``.
  @_disfavoredOverload
  public func assign<Root1: AnyObject, Root2: AnyObject, Root3: AnyObject>(
    to keyPath1: ReferenceWritableKeyPath<Root1, Output>, on object1: Root1,
    and keyPath2: ReferenceWritableKeyPath<Root2, Output>, on object2: Root2,
    and keyPath3: ReferenceWritableKeyPath<Root3, Output>, on object3: Root3,
    ownership: ObjectOwnership = .strong
  ) -> AnyCancellable {
    let targets = [
      Target(keyPath1, object1, ownership).assign, Target(keyPath2, object2, ownership).assign,
      Target(keyPath3, object3, ownership).assign,
    ]
    return sink { value in for assign in targets { assign(value) } }
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
