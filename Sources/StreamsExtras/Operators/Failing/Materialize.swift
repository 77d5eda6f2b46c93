/// A value or a completion of a stream, as a value. See ``Streams/Publisher/materialize()``.
public enum Event<Output, Failure: Error> {
  /// A value of the stream.
  case value(Output)
  /// The end of the stream, with a failure.
  case failure(Failure)
  /// The normal end of the stream.
  case finished
}

extension Event: Equatable where Output: Equatable, Failure: Equatable {}
extension Event: Hashable where Output: Hashable, Failure: Hashable {}
extension Event: Sendable where Output: Sendable {}

extension Event: CustomStringConvertible {
  public var description: String {
    switch self {
    case .value(let value): "value(\(value))"
    case .failure(let error): "failure(\(error))"
    case .finished: "finished"
    }
  }
}

/// A type that represents a value or a completion of a stream.
public protocol EventConvertible<Output, Failure> {
  /// The type of the values.
  associatedtype Output
  /// The type of the failure.
  associatedtype Failure: Error

  /// The represented event.
  var event: Event<Output, Failure> { get }
}

extension Event: EventConvertible {
  public var event: Event<Output, Failure> { self }
}

extension Publisher {
  /// Sends values and the completion as events, then finishes. The result never fails.
  ///
  /// ```
  /// self    -1--2--#
  /// result  -v1-v2-(f|)
  /// ```
  ///
  /// The event of the completion waits for demand.
  @_disfavoredOverload
  @inlinable
  public func materialize() -> MorePublishers.Materialize<Self> { MorePublishers.Materialize(upstream: self) }
}

extension Publisher where Output: EventConvertible, Failure == Never {
  /// Sends the values of events, and ends as they describe. The inverse of ``materialize()``.
  ///
  /// An event that ends the stream cancels the upstream. Later events are ignored.
  @_disfavoredOverload
  @inlinable
  public func dematerialize() -> MorePublishers.Dematerialize<Self> {
    MorePublishers.Dematerialize(upstream: self)
  }

  /// Sends the values among the events. Call it without an argument, which distinguishes it from the property `values`.
  @_disfavoredOverload
  @inlinable
  public func values(_: Void = ()) -> Publishers.CompactMap<Self, Output.Output> {
    compactMap { if case .value(let value) = $0.event { value } else { nil } }
  }

  /// Sends the failures among the events, as values.
  @_disfavoredOverload
  @inlinable
  public func failures() -> Publishers.CompactMap<Self, Output.Failure> {
    compactMap { if case .failure(let error) = $0.event { error } else { nil } }
  }
}

extension MorePublishers {
  /// The publisher returned by ``Streams/Publisher/materialize()``.
  public struct Materialize<Upstream: Publisher>: Publisher {
    public typealias Output = Event<Upstream.Output, Upstream.Failure>
    public typealias Failure = Never

    /// The publisher whose signals become events.
    public let upstream: Upstream

    /// Creates the publisher that `upstream.materialize()` returns.
    @inlinable
    public init(upstream: Upstream) { self.upstream = upstream }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Never {
      let plan = MaterializePlan<Upstream.Output, Upstream.Failure>()
      upstream.map { Output.value($0) }.subscribe(FirstInlet(Concatenation(plan, to: subscriber)))
    }
  }

  /// The publisher returned by ``Streams/Publisher/dematerialize()``.
  public struct Dematerialize<Upstream: Publisher>: Publisher
  where Upstream.Output: EventConvertible, Upstream.Failure == Never {
    public typealias Output = Upstream.Output.Output
    public typealias Failure = Upstream.Output.Failure

    /// The publisher of events.
    public let upstream: Upstream

    /// Creates the publisher that `upstream.dematerialize()` returns.
    @inlinable
    public init(upstream: Upstream) { self.upstream = upstream }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      OperatorCore.start("Dematerialize", for: subscriber) { core in
        core.subscribePrimary(to: upstream) { value in
          switch value.event {
          case .value(let value): core.emit(value)
          case .failure(let error): core.finish(.failure(error))
          case .finished: core.finish(.finished)
          }
        } onCompletion: { _ in
          core.finish(.finished)
        }
      }
    }
  }
}

extension MorePublishers.Materialize: Equatable where Upstream: Equatable {}
extension MorePublishers.Materialize: Sendable where Upstream: Sendable {}
extension MorePublishers.Dematerialize: Equatable where Upstream: Equatable {}
extension MorePublishers.Dematerialize: Sendable where Upstream: Sendable {}

@frozen @usableFromInline
struct MaterializePlan<Output, First: Error>: ConcatenationPlan {
  @usableFromInline typealias Next = Just<Event<Output, First>>

  @inlinable static var name: String { "Materialize" }
  @inlinable static var zeroDemand: ZeroDemand { .passes }

  @inlinable
  init() {}

  @inlinable
  func next(after completion: Subscribers.Completion<First>, wasEmpty: Bool) -> Following<Next> {
    switch completion {
    case .finished: .publisher(Just(.finished))
    case .failure(let error): .publisher(Just(.failure(error)))
    }
  }
}

extension YieldingNames {
  /// The publisher returned by ``Streams/Publisher/materialize()``.
  public typealias Materialize<Upstream: Publisher> = MorePublishers.Materialize<Upstream>

  /// The publisher returned by ``Streams/Publisher/dematerialize()``.
  public typealias Dematerialize<Upstream: Publisher> = MorePublishers.Dematerialize<Upstream>
  where Upstream.Output: EventConvertible, Upstream.Failure == Never
}
