extension Publisher {
  /// Divides the stream into windows of `count` values, each of which is a publisher.
  ///
  /// ![Marble diagram of window-count](window-count.svg)
  ///
  /// A window is sent with its first value. While it has no subscriber, it keeps its values, and the next subscriber receives
  /// them. Everything is requested from this publisher. Its completion ends the open window the same way, and a cancellation
  /// finishes it. Traps if `count` is less than one.
  ///
  /// - Parameters:
  ///   - count: The number of values of a window.
  ///   - buffer: The largest number of values that a window keeps. The oldest is dropped to make room, and reported as
  ///     dropped. By default, a window keeps all values.
  /// - Complexity: Keeps the windows that downstream has not requested, without a bound, and the values of those without a
  ///   subscriber.
  @_disfavoredOverload
  public func window(count: Int, buffer: Int = .max) -> MorePublishers.Window<Self, Empty<Never, Failure>> {
    if count < 1 { Violation.emptyGroup(count) }
    return MorePublishers.Window(
      upstream: self, signal: Empty(completeImmediately: false), count: count, buffer: buffer)
  }

  /// Divides the stream into windows, each of which ends when `signal` sends a value.
  ///
  /// ![Marble diagram of window-by](window-by.svg)
  ///
  /// A window without values is not sent. See ``window(count:buffer:)``.
  @_disfavoredOverload
  public func window<Signal: Publisher>(by signal: Signal, buffer: Int = .max)
    -> MorePublishers.Window<Self, Signal>
  where Signal.Failure == Failure {
    MorePublishers.Window(upstream: self, signal: signal, count: .max, buffer: buffer)
  }
}

extension MorePublishers {
  /// The publisher returned by ``Streams/Publisher/window(count:buffer:)`` and ``Streams/Publisher/window(by:buffer:)``.
  public struct Window<Upstream: Publisher, Signal: Publisher>: Publisher
  where Upstream.Failure == Signal.Failure {
    public typealias Output = AnyPublisher<Upstream.Output, Upstream.Failure>
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are divided.
    public let upstream: Upstream
    /// The publisher whose values end a window.
    public let signal: Signal
    /// The number of values after which a window ends, unless it ended earlier.
    public let count: Int
    /// The largest number of values that a window keeps while it has no subscriber.
    public let buffer: Int

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let (count, buffer) = (count, buffer)
      OperatorCore.start("Window", for: subscriber) { core in
        var open: ReplaySubject<Upstream.Output, Failure>?
        var left = 0
        let close = { (completion: Subscribers.Completion<Failure>) in
          open.take()?.send(completion: completion)
        }
        core.onCancel { close(.finished) }
        core.subscribe(to: signal, UpstreamHandle(requesting: .unlimited)) { _ in
          close(.finished)
        } onCompletion: { completion in
          if !completion.isFailure { return }
          close(completion)
          core.finish(completion)
        }
        core.subscribe(to: upstream, UpstreamHandle(requesting: .unlimited)) { value in
          let isNew = open == nil
          let window =
            open ?? ReplaySubject(keeping: buffer) { [weak core] in core?.drop($0, because: .full) }
          left = isNew ? count - 1 : left - 1
          let isFull = left == 0
          open = isFull ? nil : window  // before anything is sent: a subscriber may send the next value
          window.send(value)
          if isNew { core.emit(window.eraseToAnyPublisher()) }
          if isFull { window.send(completion: .finished) }
        } onCompletion: { completion in
          close(completion)
          core.finish(completion)
        }
      }
    }
  }
}
