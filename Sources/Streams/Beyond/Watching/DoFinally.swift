/// How a subscription ended: what ``Publisher/doFinally(_:)`` tells.
public enum Termination<Failure: Error> {
  /// Upstream finished.
  case finished
  /// Upstream failed.
  case failure(Failure)
  /// Downstream wanted no more.
  case cancelled
}

extension Termination: Equatable where Failure: Equatable {}
extension Termination: Sendable {}

extension Publisher {
  /// Calls `action` exactly once for each subscription, when it is over, however it ends.
  ///
  /// It is called after downstream has heard of the end, or after upstream was cancelled, on the thread that did it. A
  /// subscription that is dropped without either tells nothing.
  @_disfavoredOverload
  public func doFinally(
    _ action: @escaping (Termination<Failure>) -> Void
  ) -> MorePublishers.DoFinally<Self> {
    MorePublishers.DoFinally(upstream: self, action: action)
  }

  /// Calls `action` exactly once for each subscription, when it is over. See ``doFinally(_:)``.
  @_disfavoredOverload
  public func onTerminate(_ action: @escaping () -> Void) -> MorePublishers.DoFinally<Self> {
    doFinally { _ in action() }
  }
}

extension MorePublishers {
  /// The publisher of ``Publisher/doFinally(_:)``.
  public struct DoFinally<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose end is watched.
    public let upstream: Upstream
    /// Called once, whichever way the stream ends.
    public let action: (Termination<Failure>) -> Void

    /// Calls `action` when a subscription to `upstream` is over.
    public init(upstream: Upstream, action: @escaping (Termination<Failure>) -> Void) {
      self.upstream = upstream
      self.action = action
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let action = action
      Desk.start("DoFinally", for: subscriber) { desk in
        let told = Guarded(false)
        func tell(_ termination: Termination<Failure>) {
          let isFirst = told.withLock { told in
            defer { told = true }
            return !told
          }
          if isFirst { action(termination) }
        }
        desk.keepOnCancel(Departing { tell(.cancelled) })
        desk.follow(upstream) {
          desk.emit($0)
        } ended: { completion in
          desk.finish(completion)
          switch completion {
          case .finished: tell(.finished)
          case .failure(let error): tell(.failure(error))
          }
        }
      }
    }
  }
}
