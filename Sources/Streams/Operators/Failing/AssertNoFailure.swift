extension Publisher {
  /// Traps if this publisher fails, in release builds too; the message begins with `prefix`.
  @inlinable
  public func assertNoFailure(
    _ prefix: String = "", file: StaticString = #file, line: UInt = #line
  ) -> Publishers.AssertNoFailure<Self> {
    Publishers.AssertNoFailure(upstream: self, prefix: prefix, file: file, line: line)
  }
}

extension Publishers {
  /// The publisher of ``Publisher/assertNoFailure(_:file:line:)``.
  public struct AssertNoFailure<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Never

    /// The publisher that must not fail.
    public let upstream: Upstream
    /// Put before the message.
    public let prefix: String
    /// The file that the message names.
    public let file: StaticString
    /// The line that the message names.
    public let line: UInt

    /// The same as `upstream.assertNoFailure(prefix, file: file, line: line)`.
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
      upstream.attach(AssertNoFailurePass(prefix, file, line, subscriber))
    }
  }
}

extension Publishers.AssertNoFailure: Sendable where Upstream: Sendable {}

@frozen @usableFromInline
struct AssertNoFailurePass<Failure: Error, Downstream: Subscriber>: Pass where Downstream.Failure == Never {
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

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(input) }

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
