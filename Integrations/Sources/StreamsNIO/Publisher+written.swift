public import NIOCore
public import Streams

extension Publisher where Output: Sendable {
  /// Writes each value to `channel`, and requests values while the channel is writable.
  ///
  /// ```swift
  /// let writing = replies.written(to: channel).sink { completion in
  ///   channel.close(mode: .output, promise: nil)
  /// } receiveValue: { _ in
  /// }
  /// ```
  ///
  /// The result sends no values. It finishes when this publisher has finished and everything is written. It fails with the
  /// failure of this publisher, or the error of a write, or if the channel closes before that. It does not close the channel.
  ///
  /// - Demand: 64 values at most are requested at a time, and none while the channel is not writable: when more than the high
  ///   water mark of its write buffer waits for the peer. Values beyond the demand are dropped.
  /// - Cancellation: Values that were passed to the channel are written, if it stays open. Others are dropped.
  /// - Threads: This publisher may send from any thread. It is asked for values on the event loop, so a synchronous publisher
  ///   runs there. The completion is delivered on the event loop, unless the channel was closed before.
  @_disfavoredOverload
  public func written(to channel: any Channel) -> ChannelWrites<Self> {
    ChannelWrites(upstream: self, channel: channel)
  }
}

/// The publisher returned by ``Streams/Publisher/written(to:)``.
public struct ChannelWrites<Upstream: Publisher>: Publisher where Upstream.Output: Sendable {
  public typealias Output = Never
  public typealias Failure = any Error

  /// The publisher whose values are written.
  public let upstream: Upstream
  /// The channel that they are written to.
  public let channel: any Channel

  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Never, Downstream.Failure == any Error {
    let writer = ChannelWriter<Upstream.Output, Upstream.Failure>(to: channel, for: subscriber)
    subscriber.receive(subscription: writer)
    guard writer.isOpen else { return }
    upstream.subscribe(writer)
    writer.start()
  }
}
