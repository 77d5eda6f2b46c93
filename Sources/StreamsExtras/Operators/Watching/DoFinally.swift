/// How a subscription ended. See ``Streams/Publisher/doFinally(_:)``.
public enum Termination<Failure: Error> {
  /// The upstream finished.
  case finished
  /// The upstream failed.
  case failure(Failure)
  /// The downstream cancelled.
  case cancelled
}

extension Termination: Equatable where Failure: Equatable {}
extension Termination: Sendable {}

extension Publisher {
  /// Calls `action` once for each subscription that ends or is cancelled.
  ///
  /// `action` is called after the downstream has received the completion, or after the upstream was cancelled. It is not
  /// called for a subscription that is released without either.
  @_disfavoredOverload
  public func doFinally(
    _ action: @escaping (Termination<Failure>) -> Void
  ) -> MorePublishers.DoFinally<Self> {
    MorePublishers.DoFinally(upstream: self, action: action)
  }

  /// Calls `action` once for each subscription that ends or is cancelled, without the reason. See ``doFinally(_:)``.
  @_disfavoredOverload
  public func onTerminate(_ action: @escaping () -> Void) -> MorePublishers.DoFinally<Self> {
    doFinally { _ in action() }
  }
}

extension MorePublishers {
  /// The publisher returned by ``Streams/Publisher/doFinally(_:)``.
  public struct DoFinally<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The observed publisher.
    public let upstream: Upstream
    /// The closure that is called at the end.
    public let action: (Termination<Failure>) -> Void

    /// Creates the publisher that `upstream.doFinally(action)` returns.
    public init(upstream: Upstream, action: @escaping (Termination<Failure>) -> Void) {
      self.upstream = upstream
      self.action = action
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let action = action
      OperatorCore.start("DoFinally", for: subscriber) { core in
        let told = Guarded(false)
        func tell(_ termination: Termination<Failure>) {
          let isFirst = told.withLock { told in
            defer { told = true }
            return !told
          }
          if isFirst { action(termination) }
        }
        core.onCancel { tell(.cancelled) }
        core.forward(upstream) { completion in
          core.finish(completion)
          switch completion {
          case .finished: tell(.finished)
          case .failure(let error): tell(.failure(error))
          }
        }
      }
    }
  }
}
