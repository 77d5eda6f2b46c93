extension Publisher {
  /// Cuts the stream into windows of `count` values each, and sends them as publishers.
  ///
  /// ```
  /// self    -1-2-3-4-5-|
  /// result  -w---w---w-|          window(count: 2)
  /// w       -1-2|
  ///              -3-4|
  ///                  -5-|
  /// ```
  ///
  /// A window is sent with its first value. It keeps up to `buffer` values for who subscribes to it later; who does so
  /// gets them, and then what comes. This publisher is asked for everything. Its end ends the open window the same way;
  /// a cancellation finishes it. Traps if `count` is less than one.
  @_disfavoredOverload
  public func window(count: Int, buffer: Int = 256) -> MorePublishers.Window<Self, Empty<Never, Failure>> {
    if count < 1 { Violation.emptyGroup(count) }
    return MorePublishers.Window(
      upstream: self, signal: Empty(completeImmediately: false), count: count, buffer: buffer)
  }

  /// Cuts the stream into windows where `signal` sends something, and sends them as publishers.
  ///
  /// See ``window(count:buffer:)``. A window without values is not sent.
  @_disfavoredOverload
  public func window<Signal: Publisher>(by signal: Signal, buffer: Int = 256)
    -> MorePublishers.Window<Self, Signal>
  where Signal.Failure == Failure {
    MorePublishers.Window(upstream: self, signal: signal, count: .max, buffer: buffer)
  }
}

extension MorePublishers {
  /// The publisher of ``Publisher/window(count:buffer:)`` and ``Publisher/window(by:buffer:)``.
  public struct Window<Upstream: Publisher, Signal: Publisher>: Publisher
  where Upstream.Failure == Signal.Failure {
    public typealias Output = AnyPublisher<Upstream.Output, Upstream.Failure>
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are cut into windows.
    public let upstream: Upstream
    /// Each of its values ends a window.
    public let signal: Signal
    /// After how many values a window ends, if it is not ended before.
    public let count: Int
    /// How many values a window keeps for those who subscribe to it later.
    public let buffer: Int

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let (count, buffer) = (count, buffer)
      Desk.start("Window", for: subscriber) { desk in
        var open: ReplaySubject<Upstream.Output, Failure>?
        var left = 0
        let close = { (completion: Subscribers.Completion<Failure>) in
          open.take()?.send(completion: completion)
        }
        desk.keepOnCancel(Departing { close(.finished) })
        desk.open(signal, DeskLink(asking: .unlimited)) { _ in
          close(.finished)
        } ended: { completion in
          if !completion.isFailure { return }
          close(completion)
          desk.finish(completion)
        }
        desk.open(upstream, DeskLink(asking: .unlimited)) { value in
          if open == nil {
            let window = ReplaySubject<Upstream.Output, Failure>(bufferSize: buffer)
            open = window
            left = count
            window.send(value)
            desk.emit(window.eraseToAnyPublisher())
          } else {
            open?.send(value)
          }
          left -= 1
          if left == 0 { close(.finished) }
        } ended: { completion in
          close(completion)
          desk.finish(completion)
        }
      }
    }
  }
}
