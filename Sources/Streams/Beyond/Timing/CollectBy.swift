extension Publisher {
  /// Sends what has come as an array whenever `signal` sends something.
  ///
  /// ```
  /// self    -1-2----3-|
  /// signal  -----x-----
  /// result  -----[12]-([3]|)
  /// ```
  ///
  /// Nothing is sent if nothing has come. Both publishers are asked for everything; without demand an array goes on
  /// growing. What is left is sent when this publisher finishes, and thrown away when it fails. That `signal` finishes
  /// does not matter.
  ///
  /// - Complexity: Keeps what is collected.
  @_disfavoredOverload
  public func collect<Signal: Publisher>(by signal: Signal) -> MorePublishers.CollectBy<Self, Signal>
  where Signal.Failure == Failure {
    MorePublishers.CollectBy(upstream: self, signal: signal)
  }
}

extension MorePublishers {
  /// The publisher of ``Publisher/collect(by:)``.
  public struct CollectBy<Upstream: Publisher, Signal: Publisher>: Publisher
  where Upstream.Failure == Signal.Failure {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are gathered.
    public let upstream: Upstream
    /// Each of its values sends what has been gathered.
    public let signal: Signal

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      Desk.start("Collect", for: subscriber) { desk in
        var collected: Output = []
        let send = {
          if collected.isEmpty || desk.demand == .none { return }
          let group = collected
          collected = []
          desk.emit(group)
        }
        desk.open(signal, DeskLink(asking: .unlimited)) { _ in
          send()
        } ended: { completion in
          if completion.isFailure { desk.finish(completion) }
        }
        desk.open(upstream, DeskLink(asking: .unlimited)) { value in
          collected.append(value)
        } ended: { completion in
          if !completion.isFailure, !collected.isEmpty { desk.emit(collected) }
          collected = []
          desk.finish(completion)
        }
      }
    }
  }
}
