/// Cancels an activity when it is cancelled or released.
///
/// The closure runs at most once, and is released afterwards. Unless it is isolated to an actor, it runs on the thread that
/// cancels or releases the last reference.
public final class AnyCancellable: Cancellable, Hashable {
  /// A struct around the closure: a closure itself would be wrapped where it is swapped.
  @frozen @usableFromInline
  struct Action {
    @usableFromInline let call: () -> Void

    @inlinable
    init(_ call: @escaping () -> Void) { self.call = call }
  }

  @usableFromInline let lock = Lock()
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var action: Action?

  /// Creates a cancellable that calls `cancel`.
  ///
  /// By default, a closure that is isolated to an actor runs on that actor. A cancellation that happens on the main actor
  /// calls a closure of the main actor synchronously. See ``Subscribers/IsolationPolicy/standard``.
  @inlinable
  public init(_ cancel: @escaping @isolated(any) () -> Void) {
    if let actor = cancel.isolation {
      action = Action(Subscribers.IsolationPolicy.standard.route(withoutIsolation(cancel), to: actor))
    } else {
      action = Action(withoutIsolation(cancel))
    }
  }

  /// Creates a cancellable that cancels `canceller`.
  @inlinable
  public init<Canceller: Cancellable>(_ canceller: Canceller) { action = Action { canceller.cancel() } }

  /// Creates a cancellable that does nothing, for a stream that is already over.
  @inlinable
  init() {}

  deinit { action?.call() }

  public func cancel() {
    var action: Action?
    lock.take()
    swap(&action, &self.action)
    lock.give()
    action?.call()
  }

  /// Stores this cancellable in a collection.
  @inlinable
  public func store<Collection: RangeReplaceableCollection>(in collection: inout Collection)
  where Collection.Element == AnyCancellable {
    collection.append(self)
  }

  /// Stores this cancellable in a set.
  @inlinable
  public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }

  @inlinable
  public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool { left === right }

  @inlinable
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension AnyCancellable: @unchecked Sendable {}  // `action` is taken once, under the lock

extension AnyCancellable: CustomReflectable {
  /// Shows whether this still cancels something when it is released.
  public var customMirror: Mirror {
    let isCancelled = lock.withLock { action == nil }
    return Mirror(self, children: ["isCancelled": isCancelled])
  }
}
