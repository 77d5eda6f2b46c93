/// Stops an activity when it is cancelled or goes out of scope.
///
/// The closure runs at most once, on the thread that cancels or drops the last reference, and is let go of after.
public final class AnyCancellable: Cancellable, Hashable {
  @usableFromInline let lock = Lock()
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var action: (() -> Void)?

  /// Cancels by calling `cancel`.
  @inlinable
  public init(_ cancel: @escaping () -> Void) { action = cancel }

  /// Cancels `canceller`.
  @inlinable
  public init<Canceller: Cancellable>(_ canceller: Canceller) { action = { canceller.cancel() } }

  deinit { action?() }

  public func cancel() {
    let action = lock.withLock { () -> (() -> Void)? in
      defer { self.action = nil }
      return self.action
    }
    action?()
  }

  /// Keeps this in `collection`.
  @inlinable
  public func store<Collection: RangeReplaceableCollection>(in collection: inout Collection)
  where Collection.Element == AnyCancellable {
    collection.append(self)
  }

  /// Keeps this in `set`.
  @inlinable
  public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }

  @inlinable
  public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool { left === right }

  @inlinable
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension AnyCancellable: @unchecked Sendable {}  // `action` is taken once, under the lock
