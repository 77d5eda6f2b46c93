extension Publisher {
  /// Traps if this publisher fails, in release builds too. The message begins with `prefix`.
  @inlinable
  public func assertNoFailure(
    _ prefix: String = "", file: StaticString = #file, line: UInt = #line
  ) -> Publishers.AssertNoFailure<Self> {
    Publishers.AssertNoFailure(upstream: self, prefix: prefix, file: file, line: line)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/assertNoFailure(_:file:line:)``.
  public struct AssertNoFailure<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Never

    /// The publisher that must not fail.
    public let upstream: Upstream
    /// The beginning of the message.
    public let prefix: String
    /// The file in the message.
    public let file: StaticString
    /// The line in the message.
    public let line: UInt

    /// Creates the publisher that `upstream.assertNoFailure(prefix, file: file, line: line)` returns.
    @inlinable
    public init(upstream: Upstream, prefix: String, file: StaticString, line: UInt) {
      self.upstream = upstream
      self.prefix = prefix
      self.file = file
      self.line = line
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.attach(AssertNoFailureSubscriber(prefix, file, line, subscriber))
    }
  }
}

extension Publishers.AssertNoFailure: Sendable where Upstream: Sendable {}

@frozen @usableFromInline
struct AssertNoFailureSubscriber<Failure: Error, Downstream: Subscriber>: StatelessSubscriber
where Downstream.Failure == Never {
  @usableFromInline typealias Input = Downstream.Input

  @usableFromInline let prefix: String
  @usableFromInline let file: StaticString
  @usableFromInline let line: UInt
  @usableFromInline let downstream: Downstream

  @inlinable
  init(_ prefix: String, _ file: StaticString, _ line: UInt, _ downstream: Downstream) {
    self.prefix = prefix
    self.file = file
    self.line = line
    self.downstream = downstream
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: downstream.receive(completion: .finished)
    case .failure(let error): Violation.unexpectedFailure(error, prefix, file: file, line: line)
    }
  }

  @usableFromInline
  var reflectedChildren: [Mirror.Child] { [("file", file), ("line", line), ("prefix", prefix)] }
}
