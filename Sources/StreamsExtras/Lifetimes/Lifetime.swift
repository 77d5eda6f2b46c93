/// A lifetime to which streams and cancellables can be tied.
///
/// It ends when its token is ended or released. An object that stores the token gives the lifetime its own duration:
///
/// ```swift
/// final class Player {
///   private let token = Lifetime.Token()
///   var lifetime: Lifetime { token.lifetime }
/// }
/// ```
public struct Lifetime: Sendable {
  /// Ends a lifetime when it is released.
  public final class Token: Sendable {
    /// The lifetime of this token.
    public let lifetime = Lifetime()

    /// Creates a token with a new lifetime.
    public init() {}

    deinit { lifetime.bag.cancel() }

    /// Ends the lifetime.
    public func end() { lifetime.bag.cancel() }
  }

  fileprivate let bag = CancelBag()

  fileprivate init() {}

  /// Cancels `cancellable` at the end, or immediately if the lifetime has ended.
  public func add(_ cancellable: AnyCancellable) { bag.insert(cancellable) }

  /// Runs `action` at the end, or immediately if the lifetime has ended. Cancelling or releasing the result prevents
  /// it.
  public func onEnd(_ action: @escaping () -> Void) -> AnyCancellable {
    let ending = Ending(action)
    let entry = AnyCancellable { ending.run() }
    bag.insert(entry)
    return AnyCancellable { [weak bag] in
      ending.cancel()
      bag?.remove(entry)
    }
  }
}

/// An action that runs once, unless it is cancelled.
private final class Ending {
  private let action: Guarded<(() -> Void)?>

  init(_ action: @escaping () -> Void) { self.action = Guarded(action) }

  func run() { action.withLock { $0.take() }?() }
  func cancel() { withExtendedLifetime(action.withLock { $0.take() }) {} }
}

extension Publisher {
  /// Sends values until `lifetime` ends, then cancels the upstream and finishes.
  ///
  /// ```
  /// self      -1--2--3--
  /// lifetime  -------x
  /// result    -1--2--|
  /// ```
  ///
  /// If the lifetime has already ended, the stream finishes at once.
  @_disfavoredOverload
  @inlinable
  public func prefix(during lifetime: Lifetime) -> MorePublishers.PrefixDuring<Self> {
    MorePublishers.PrefixDuring(upstream: self, lifetime: lifetime)
  }

  /// Sends values until `lifetime` ends. The same as ``prefix(during:)``, with a name of other libraries.
  @_disfavoredOverload
  @inlinable
  public func take(during lifetime: Lifetime) -> MorePublishers.PrefixDuring<Self> {
    prefix(during: lifetime)
  }
}

extension MorePublishers {
  /// The publisher returned by ``Streams/Publisher/prefix(during:)``.
  public struct PrefixDuring<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher that ends with the lifetime.
    public let upstream: Upstream
    /// The lifetime that ends the stream.
    public let lifetime: Lifetime

    /// Creates the publisher that `upstream.prefix(during: lifetime)` returns.
    @inlinable
    public init(upstream: Upstream, lifetime: Lifetime) {
      self.upstream = upstream
      self.lifetime = lifetime
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      OperatorCore.start("PrefixDuring", for: subscriber) { core in
        core.endWith(lifetime)
        core.forward(upstream) {
          core.finish($0)
        }
      }
    }
  }
}

extension OperatorCore {
  @usableFromInline
  func endWith(_ lifetime: Lifetime) {
    let registration = lifetime.onEnd { [weak self] in  // law C21: the lifetime may be long
      if let self { self.perform { self.finish(.finished) } }
    }
    onEnd { registration.cancel() }
  }
}
