/// Subscribes to one upstream again and again: at once, or when a trigger sends a value.
///
/// Only the core holds it, until the stream is over: it holds the upstream, which may hold its subscriber. What another
/// thread sends may arrive later, and finds nothing.
@usableFromInline
package final class Rounds<Upstream: Publisher, Downstream: Subscriber>
where Upstream.Output == Downstream.Input, Upstream.Failure == Downstream.Failure {
  @usableFromInline unowned let core: OperatorCore<Downstream>
  @usableFromInline let upstream: Upstream
  /// Called at the end of a round. Returns false if the stream ends with the same completion.
  @usableFromInline let continues: (Subscribers.Completion<Upstream.Failure>) -> Bool
  /// Whether the next round begins without a trigger.
  @exclusivity(unchecked)  // inside the core's drain loop only, as all that follows
  @usableFromInline package var isPrompt = false
  /// Whether a round runs or is about to begin, as the first one is: what the trigger sends meanwhile begins none.
  @exclusivity(unchecked)
  @usableFromInline package var isRunning = true

  @inlinable
  package init(
    _ core: OperatorCore<Downstream>, _ upstream: Upstream,
    continues: @escaping (Subscribers.Completion<Upstream.Failure>) -> Bool
  ) {
    self.core = core
    self.upstream = upstream
    self.continues = continues
    core.state = self
  }

  /// Subscribes to the trigger: each value starts a round, if the last one has ended.
  ///
  /// - Parameter failed: Returns the completion of the stream for the trigger's failure; `nil` if the stream
  ///   continues.
  @inlinable
  package func listen<Trigger: Publisher>(
    to trigger: Trigger,
    failed: @escaping (Trigger.Failure) -> Subscribers.Completion<Upstream.Failure>?
  ) {
    core.subscribe(to: trigger, UpstreamHandle(requesting: .unlimited)) { [weak self] _ in
      if let self, !isRunning { next() }
    } onCompletion: { [weak self] completion in
      guard let self else { return }
      switch completion {
      case .finished: core.finish(.finished)
      case .failure(let error): if let end = failed(error) { core.finish(end) }
      }
    }
  }

  @inlinable
  package func next() {
    isRunning = true
    core.bounce {
      self.core.forward(self.upstream) { [weak self] in self?.end($0) }
    }
  }

  @inlinable
  func end(_ completion: Subscribers.Completion<Upstream.Failure>) {
    isRunning = false
    guard continues(completion) else { return core.finish(completion) }
    if isPrompt, !core.isEnding { next() }
  }
}
