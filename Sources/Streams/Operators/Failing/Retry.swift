extension Publisher {
  /// Subscribes again after a failure, up to `retries` times. The last failure passes.
  ///
  /// ![Marble diagram of retry](retry.svg)
  ///
  /// ```swift
  /// var attempts = 0
  /// let download = Deferred { () -> Result<String, URLError>.Publisher in
  ///   attempts += 1
  ///   return .init(attempts < 3 ? .failure(URLError(.timedOut)) : .success("photo"))
  /// }
  /// let cancellable = download.retry(2).replaceError(with: "none").sink { print($0) }
  /// // Prints photo
  /// ```
  ///
  /// The values of failed attempts remain sent. An attempt receives the demand that the previous attempt has not met.
  ///
  /// - Parameter retries: The maximum number of attempts after the first. A negative number means no limit.
  @inlinable
  public func retry(_ retries: Int) -> Publishers.Retry<Self> {
    Publishers.Retry(upstream: self, retries: retries)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/retry(_:)``.
  public struct Retry<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher that is subscribed to again.
    public let upstream: Upstream
    /// The maximum number of attempts after the first. `nil` or a negative number means no limit.
    public let retries: Int?

    /// Creates the publisher that `upstream.retry(retries)` returns.
    @inlinable
    public init(upstream: Upstream, retries: Int?) {
      self.upstream = upstream
      self.retries = retries
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let (upstream, retries) = (upstream, retries)
      OperatorCore.start("Retry", attachesLate: true, for: subscriber) { core in
        // As in Combine, a negative number is without end.
        var left = retries.flatMap { $0 < 0 ? nil : $0 }
        let rounds = Rounds(core, upstream) { completion in
          guard completion.isFailure, left != 0 else { return false }
          left = left.map { $0 - 1 }
          return true
        }
        rounds.isPrompt = true
        rounds.next()
      }
    }
  }
}

extension Publishers.Retry: Equatable where Upstream: Equatable {}
extension Publishers.Retry: Sendable where Upstream: Sendable {}
