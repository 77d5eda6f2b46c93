/// How long something lasts: streams and cancellables can be tied to it.
///
/// It ends when its token is ended or let go of; usually an object has the token, and so its lifetime is that of the
/// object:
///
/// ```swift
/// final class Player {
///   private let token = Lifetime.Token()
///   var lifetime: Lifetime { token.lifetime }
/// }
/// ```
public struct Lifetime: Sendable {
  /// Ends a lifetime when it is let go of.
  public final class Token: Sendable {
    /// What ends with this.
    public let lifetime = Lifetime()

    /// The token of a new lifetime.
    public init() {}

    deinit { lifetime.bag.cancel() }

    /// Ends the lifetime now.
    public func end() { lifetime.bag.cancel() }
  }

  fileprivate let bag = CancelBag()

  fileprivate init() {}

  /// Cancels `cancellable` at the end; now, if that is past.
  public func add(_ cancellable: AnyCancellable) { bag.insert(cancellable) }

  /// Runs `action` at the end; now, if that is past. Cancelling the result, or dropping it, calls that off.
  public func onEnd(_ action: @escaping () -> Void) -> AnyCancellable {
    let ending = Ending(action)
    let entry = AnyCancellable { ending.run() }
    bag.insert(entry)
    return AnyCancellable { [weak bag] in
      ending.callOff()
      bag?.remove(entry)
    }
  }
}

/// Something to be done once, unless it is called off.
private final class Ending {
  private let action: Guarded<(() -> Void)?>

  init(_ action: @escaping () -> Void) { self.action = Guarded(action) }

  func run() { action.withLock { $0.take() }?() }
  func callOff() { withExtendedLifetime(action.withLock { $0.take() }) {} }
}

extension Publisher {
  /// Passes values on until `lifetime` ends; then cancels upstream and finishes.
  ///
  /// ```
  /// self      -1--2--3--
  /// lifetime  -------x
  /// result    -1--2--|
  /// ```
  ///
  /// If it has ended before, the stream finishes at once.
  @_disfavoredOverload
  @inlinable
  public func prefix(during lifetime: Lifetime) -> MorePublishers.PrefixDuring<Self> {
    MorePublishers.PrefixDuring(upstream: self, lifetime: lifetime)
  }

  /// The same as ``prefix(during:)``, under the name of other libraries.
  @_disfavoredOverload
  @inlinable
  public func take(during lifetime: Lifetime) -> MorePublishers.PrefixDuring<Self> {
    prefix(during: lifetime)
  }
}

extension MorePublishers {
  /// The publisher of ``Publisher/prefix(during:)``.
  public struct PrefixDuring<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher that ends with the lifetime.
    public let upstream: Upstream
    /// When it ends, the stream finishes.
    public let lifetime: Lifetime

    /// The same as `upstream.prefix(during: lifetime)`.
    @inlinable
    public init(upstream: Upstream, lifetime: Lifetime) {
      self.upstream = upstream
      self.lifetime = lifetime
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      Desk.start("PrefixDuring", for: subscriber) { desk in
        desk.endWith(lifetime)
        desk.follow(upstream) {
          desk.emit($0)
        } ended: {
          desk.finish($0)
        }
      }
    }
  }
}

extension Desk {
  @usableFromInline
  func endWith(_ lifetime: Lifetime) {
    keep(
      lifetime.onEnd { [weak self] in  // law C21: the lifetime may be long
        if let self { self.run { self.finish(.finished) } }
      })
  }
}
