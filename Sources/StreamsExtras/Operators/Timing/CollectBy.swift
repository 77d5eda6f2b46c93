extension Publisher {
  /// Collects values into an array, and sends it each time `signal` sends a value.
  ///
  /// ![Marble diagram of collect-by](collect-by.svg)
  ///
  /// Nothing is sent without collected values. Everything is requested from both publishers. Without demand, the array
  /// grows. The remaining values are sent when this publisher finishes, and dropped when it fails. A normal completion
  /// of `signal` has no effect.
  ///
  /// - Complexity: Keeps the collected values.
  @_disfavoredOverload
  public func collect<Signal: Publisher>(by signal: Signal) -> MorePublishers.CollectBy<Self, Signal>
  where Signal.Failure == Failure {
    MorePublishers.CollectBy(upstream: self, signal: signal)
  }
}

extension MorePublishers {
  /// The publisher returned by ``Streams/Publisher/collect(by:)``.
  public struct CollectBy<Upstream: Publisher, Signal: Publisher>: Publisher
  where Upstream.Failure == Signal.Failure {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are collected.
    public let upstream: Upstream
    /// The publisher whose values send the collected ones.
    public let signal: Signal

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      OperatorCore.start("Collect", for: subscriber) { core in
        var collected: Output = []
        let send = {
          if collected.isEmpty || core.outstandingDemand == .none { return }
          let group = collected
          collected = []
          core.emit(group)
        }
        core.subscribe(to: signal, UpstreamHandle(requesting: .unlimited)) { _ in
          send()
        } onCompletion: { completion in
          if completion.isFailure { core.finish(completion) }
        }
        core.subscribe(to: upstream, UpstreamHandle(requesting: .unlimited)) { value in
          collected.append(value)
        } onCompletion: { completion in
          let rest = collected
          collected = []  // first: `signal` may send meanwhile
          if !completion.isFailure, !rest.isEmpty { core.emit(rest) }
          core.finish(completion)
        }
      }
    }
  }
}
