/// Cancels an activity when it is cancelled or released.
///
/// The closure runs at most once, on the thread that cancels or releases the last reference. It is released afterwards.
public final class AnyCancellable: Cancellable, Hashable {
  @usableFromInline let lock = Lock()
  @exclusivity(unchecked)  // under the lock only
  @usableFromInline var work: Work?

  /// A cancellable of the library is kept as it is, so that a mirror can show it.
  @usableFromInline
  enum Work {
    case action(() -> Void)
    case canceller(any Cancellable & AnyObject)

    @inlinable
    func cancel() {
      switch self {
      case .action(let action): action()
      case .canceller(let canceller): canceller.cancel()
      }
    }
  }

  /// Creates a cancellable that calls `cancel`.
  ///
  /// A closure that is isolated to an actor runs on that actor. On the main actor, a cancellation that happens there
  /// calls it synchronously. See ``Subscribers/IsolationPolicy``.
  @inlinable
  public init(_ cancel: @escaping @isolated(any) () -> Void) {
    if let actor = cancel.isolation {
      work = .action(Subscribers.IsolationPolicy.standard.route(withoutIsolation(cancel), to: actor))
    } else {
      work = .action(withoutIsolation(cancel))
    }
  }

  /// Creates a cancellable that cancels `canceller`.
  @inlinable
  public init<Canceller: Cancellable>(_ canceller: Canceller) { work = .action { canceller.cancel() } }

  /// Creates a cancellable that cancels `canceller`, and shows it in mirrors.
  @inlinable
  package init(showing canceller: any Cancellable & AnyObject) { work = .canceller(canceller) }

  /// Creates a cancellable that does nothing, for a stream that is already over.
  @inlinable
  init() {}

  deinit { work?.cancel() }

  public func cancel() {
    var work: Work?  // not as a result of the closure: it would be wrapped, and wrapping allocates
    lock.withLock { swap(&work, &self.work) }
    work?.cancel()
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

extension AnyCancellable: @unchecked Sendable {}  // `work` is taken once, under the lock

extension AnyCancellable: CustomReflectable {
  /// Shows what is cancelled, such as a `Sink`. It is `nil` once it was, and for a closure only a text is known.
  public var customMirror: Mirror {
    let work = lock.withLock { self.work }
    let shown: Any? =
      switch work {
      case .action: "a closure"
      case .canceller(let canceller): canceller
      case nil: nil
      }
    return Mirror(self, children: ["cancels": shown as Any])
  }
}
