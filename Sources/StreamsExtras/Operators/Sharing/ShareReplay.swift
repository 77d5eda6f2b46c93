extension Publisher {
  /// Shares one subscription, and replays the last `count` values to late subscribers, even after the end.
  ///
  /// ![Marble diagram of share-replay](share-replay.svg)
  ///
  /// The same as ``share(replay:scope:)`` with ``ReplayScope/forever``.
  @_disfavoredOverload
  @inlinable
  public func share(replay count: Int) -> MorePublishers.ShareReplay<Self> {
    share(replay: count, scope: .forever)
  }

  /// Shares one subscription, and replays the last `count` values to late subscribers, for as long as `scope`
  /// describes.
  ///
  /// ![Marble diagram of share-replay](share-replay.svg)
  ///
  /// The first subscriber connects once it is attached, so a publisher that sends immediately loses nothing. The last
  /// one to cancel disconnects. Everything is requested from this publisher. Values that a subscriber has not requested
  /// wait for it.
  ///
  /// - Parameters:
  ///   - count: The largest number of values to replay. Traps if negative.
  ///   - scope: How long values are kept. With ``ReplayScope/whileConnected``, a subscriber that arrives after the last
  ///     cancellation, or after the end, starts again.
  /// - Complexity: Keeps up to `count` values, and the values that each subscriber has not requested.
  @_disfavoredOverload
  @inlinable
  public func share(replay count: Int, scope: ReplayScope) -> MorePublishers.ShareReplay<Self> {
    MorePublishers.ShareReplay(upstream: self, count: count, scope: scope)
  }
}

/// How long ``Streams/Publisher/share(replay:scope:)`` keeps the values it replays.
public enum ReplayScope: Hashable, Sendable {
  /// Keeps values while there are subscribers and the stream has not ended. A later subscriber starts again.
  case whileConnected
  /// Keeps values and the completion as long as the publisher exists. A later subscriber receives both.
  case forever
}

extension MorePublishers {
  /// The publisher returned by ``Streams/Publisher/share(replay:scope:)``. A class: subscribers share the instance.
  public final class ShareReplay<Upstream: Publisher>: Publisher, Equatable {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The shared publisher.
    public let upstream: Upstream
    /// The number of values to replay.
    public let count: Int
    /// How long values are kept.
    public let scope: ReplayScope
    @usableFromInline let shared: SharedSubject<ReplaySubject<Output, Failure>>

    /// Creates the publisher that `upstream.share(replay:scope:)` returns. Traps if `count` is negative.
    @inlinable
    public init(upstream: Upstream, count: Int, scope: ReplayScope) {
      if count < 0 { Violation.negativeCount("how many values are replayed", count) }
      self.upstream = upstream
      self.count = count
      self.scope = scope
      shared = SharedSubject(reconnects: scope == .forever) { ReplaySubject(bufferSize: count) }
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      shared.add(subscriber, to: upstream)
    }

    public static func == (left: ShareReplay, right: ShareReplay) -> Bool { left === right }
  }
}

extension MorePublishers.ShareReplay: Sendable where Upstream: Sendable, Output: Sendable {}
