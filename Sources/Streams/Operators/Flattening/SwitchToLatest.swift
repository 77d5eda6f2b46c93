extension Publisher where Output: Publisher, Output.Failure == Failure {
  /// Sends the values of the latest publisher that this publisher sends, and cancels the previous one.
  ///
  /// ![Marble diagram of switch-to-latest](switch-to-latest.svg)
  ///
  /// ```swift
  /// let searches = PassthroughSubject<PassthroughSubject<String, Never>, Never>()
  /// let (first, second) = (PassthroughSubject<String, Never>(), PassthroughSubject<String, Never>())
  /// let cancellable = searches.switchToLatest().sink { print($0) }
  /// searches.send(first)
  /// first.send("a")  // Prints a
  /// searches.send(second)
  /// first.send("b")  // `first` is cancelled.
  /// second.send("c")  // Prints c
  /// ```
  ///
  /// The stream finishes when this publisher and the latest one have finished, and fails with the first failure of
  /// either.
  @inlinable
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
    Publishers.SwitchToLatest(upstream: self)
  }
}

extension Publisher where Failure == Never, Output: Publisher {
  /// Sends the values of the latest publisher, for upstreams that never fail.
  ///
  /// ![Marble diagram of switch-to-latest](switch-to-latest.svg)
  @inlinable
  public func switchToLatest()
    -> Publishers.SwitchToLatest<Output, Publishers.SetFailureType<Self, Output.Failure>>
  {
    Publishers.SwitchToLatest(upstream: setFailureType(to: Output.Failure.self))
  }
}

extension Publisher where Failure == Never, Output: Publisher, Output.Failure == Never {
  /// Sends the values of the latest publisher, if neither it nor the upstream can fail.
  ///
  /// ![Marble diagram of switch-to-latest](switch-to-latest.svg)
  @inlinable
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
    Publishers.SwitchToLatest(upstream: self)
  }
}

extension Publisher where Output: Publisher, Output.Failure == Never {
  /// Sends the values of the latest publisher, for publishers of publishers that never fail.
  ///
  /// ![Marble diagram of switch-to-latest](switch-to-latest.svg)
  @inlinable
  public func switchToLatest()
    -> Publishers.SwitchToLatest<
      Publishers.SetFailureType<Output, Failure>,
      Publishers.Map<Self, Publishers.SetFailureType<Output, Failure>>
    >
  {
    Publishers.SwitchToLatest(upstream: map { $0.setFailureType(to: Failure.self) })
  }
}

extension Publishers {
  /// The publisher returned by `switchToLatest()`.
  public struct SwitchToLatest<P: Publisher, Upstream: Publisher>: Publisher
  where P == Upstream.Output, P.Failure == Upstream.Failure {
    public typealias Output = P.Output
    public typealias Failure = P.Failure

    /// The publisher of publishers.
    public let upstream: Upstream

    /// Creates the publisher that `upstream.switchToLatest()` returns.
    @inlinable
    public init(upstream: Upstream) { self.upstream = upstream }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let upstream = upstream
      OperatorCore.start("SwitchToLatest", zeroDemand: .traps, cancelOrder: .latestFirst, for: subscriber) {
        core in
        let isOuterFinished = Box(false)
        // How many children that are one value are being delivered.
        let constants = Box(0)
        func finishIfDone() {
          if isOuterFinished.value, constants.value == 0, core.primary == nil { core.finish(.finished) }
        }
        core.subscribe(to: upstream, UpstreamHandle(requesting: .unlimited)) { child in
          var handle: UpstreamHandle?
          if let current = core.primary {
            // Replaced first: the cancellation may send a newer child, or finish the outer upstream.
            handle = UpstreamHandle()
            core.primary = handle
            core.cancel(current)
            if core.primary !== handle { return }
          }
          if let constant = child.valueUnseen, core.demand > .none {
            if handle != nil { core.primary = nil }
            constants.value += 1
            core.emit(constant)
            constants.value -= 1
            return finishIfDone()
          }
          core.forward(child, handle ?? UpstreamHandle()) { completion in
            if completion.isFailure { core.finish(completion) } else { finishIfDone() }
          }
        } onCompletion: { completion in
          if completion.isFailure { return core.finish(completion) }
          isOuterFinished.value = true
          finishIfDone()
        }
      }
    }
  }
}

extension Publishers.SwitchToLatest: Sendable where Upstream: Sendable {}
