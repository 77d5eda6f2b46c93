extension Publisher {
  /// Lets many subscribers share one subscription, and gives those who come late the last `count` values.
  ///
  /// ```
  /// self    -1-2---3-|
  /// first   ^1-2---3-|
  /// late          ^23-|          share(replay: 1)
  /// ```
  ///
  /// The same as with ``ReplayScope/forever``: the values, and the end, are replayed even when this publisher has
  /// ended. See ``share(replay:scope:)``.
  @_disfavoredOverload
  @inlinable
  public func share(replay count: Int) -> MorePublishers.ShareReplay<Self> {
    share(replay: count, scope: .forever)
  }

  /// Lets many subscribers share one subscription, and gives those who come late the last `count` values.
  ///
  /// The first subscriber connects, when it has its place: a publisher that sends at once loses nothing. The last one
  /// to cancel disconnects. This publisher is asked for everything; what a subscriber has not asked for waits for it.
  ///
  /// - Parameters:
  ///   - count: How many values are replayed. Traps if negative.
  ///   - scope: For how long they are kept. With ``ReplayScope/whileConnected``, who comes after the last has
  ///     cancelled, or after the end, begins anew; with `count` zero that is a ``share()`` which restarts.
  /// - Complexity: Keeps `count` values, and what each subscriber has not asked for.
  @_disfavoredOverload
  @inlinable
  public func share(replay count: Int, scope: ReplayScope) -> MorePublishers.ShareReplay<Self> {
    MorePublishers.ShareReplay(upstream: self, count: count, scope: scope)
  }
}

/// For how long ``Publisher/share(replay:scope:)`` keeps what it replays.
public enum ReplayScope: Hashable, Sendable {
  /// As long as there are subscribers and the stream has not ended. Then a new one begins anew.
  case whileConnected
  /// As long as there is the publisher. A later subscriber gets old values, and the old end.
  case forever
}

extension MorePublishers {
  /// The publisher of ``Publisher/share(replay:scope:)``. A class: its subscribers share it by sharing the instance.
  public final class ShareReplay<Upstream: Publisher>: Publisher, Equatable {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher that is subscribed to once for all.
    public let upstream: Upstream
    /// How many values a newcomer gets again.
    public let count: Int
    /// For how long they are kept.
    public let scope: ReplayScope
    @usableFromInline let gathering: Gathering<ReplaySubject<Output, Failure>>

    /// Traps if `count` is negative.
    @inlinable
    public init(upstream: Upstream, count: Int, scope: ReplayScope) {
      if count < 0 { Violation.negativeCount("how many values are replayed", count) }
      self.upstream = upstream
      self.count = count
      self.scope = scope
      gathering = Gathering(upstream, outlives: scope == .forever) { ReplaySubject(bufferSize: count) }
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      gathering.admit(subscriber)
    }

    public static func == (left: ShareReplay, right: ShareReplay) -> Bool { left === right }
  }
}
