/// How ``Publisher/assign(to:on:ownership:)`` holds what it assigns to.
public enum ObjectOwnership: Hashable, Sendable {
  /// It is held as long as the subscription.
  case strong
  /// It is not held. Once it is gone, values go nowhere.
  case weak
  /// It is not held, and must outlive the subscription: a value that comes when it is gone traps.
  case unowned
}

extension Publisher where Failure == Never {
  /// Assigns each value to a property of `object`, asking for everything at once.
  ///
  /// The assignment is made on the thread that brings the value; see ``assign(to:on:isolation:)`` for properties that
  /// belong to an actor.
  ///
  /// - Returns: What keeps the subscription alive: dropping it cancels.
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
