/// One thing that a stream sends, as a value: what ``Publisher/materialize()`` makes of it.
public enum Event<Output, Failure: Error> {
  /// One value of many.
  case value(Output)
  /// The end, with a failure.
  case failure(Failure)
  /// The end, without one.
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

/// Something that says what a stream sends.
public protocol EventConvertible<Output, Failure> {
  /// The kind of values.
  associatedtype Output
  /// The kind of errors.
  associatedtype Failure: Error

  /// What is sent.
  var event: Event<Output, Failure> { get }
}

extension Event: EventConvertible {
  public var event: Event<Output, Failure> { self }
}

extension Publisher {
  /// Sends everything, the end included, as values; then finishes. It never fails.
  ///
  /// ```
  /// self    -1--2--#
  /// result  -v1-v2-(f|)
  /// ```
  ///
  /// The value that tells of the end waits for demand as any value does.
  @_disfavoredOverload
  @inlinable
  public func materialize() -> MorePublishers.Materialize<Self> { MorePublishers.Materialize(upstream: self) }
}

extension Publisher where Output: EventConvertible, Failure == Never {
  /// Sends what the events say, and ends as they say. The other way round than ``materialize()``.
  ///
  /// What comes after an event that ends the stream is not heard: upstream is cancelled.
  @_disfavoredOverload
  @inlinable
  public func dematerialize() -> MorePublishers.Dematerialize<Self> {
    MorePublishers.Dematerialize(upstream: self)
  }

  /// The values among the events. Called without an argument: it only tells this from the property of that name.
  @_disfavoredOverload
  @inlinable
  public func values(_: Void = ()) -> Publishers.CompactMap<Self, Output.Output> {
    compactMap { if case .value(let value) = $0.event { value } else { nil } }
  }

  /// The failures among the events, as values.
  @_disfavoredOverload
  @inlinable
  public func failures() -> Publishers.CompactMap<Self, Output.Failure> {
    compactMap { if case .failure(let error) = $0.event { error } else { nil } }
  }
}

extension MorePublishers {
  /// The publisher of ``Publisher/materialize()``.
  public struct Materialize<Upstream: Publisher>: Publisher {
    public typealias Output = Event<Upstream.Output, Upstream.Failure>
    public typealias Failure = Never

    /// The publisher whose values and end become events.
    public let upstream: Upstream

    /// The same as `upstream.materialize()`.
    @inlinable
    public init(upstream: Upstream) { self.upstream = upstream }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Never {
      let plan = MaterializePlan<Upstream.Output, Upstream.Failure>()
      upstream.map { Output.value($0) }.subscribe(FirstLeg(Succession(plan, to: subscriber)))
    }
  }

  /// The publisher of ``Publisher/dematerialize()``.
  public struct Dematerialize<Upstream: Publisher>: Publisher
  where Upstream.Output: EventConvertible, Upstream.Failure == Never {
    public typealias Output = Upstream.Output.Output
    public typealias Failure = Upstream.Output.Failure

    /// The publisher of events that become values and an end again.
    public let upstream: Upstream

    /// The same as `upstream.dematerialize()`.
    @inlinable
    public init(upstream: Upstream) { self.upstream = upstream }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      Desk.start("Dematerialize", for: subscriber) { desk in
        desk.follow(upstream) { value in
          switch value.event {
          case .value(let value): desk.emit(value)
          case .failure(let error): desk.finish(.failure(error))
          case .finished: desk.finish(.finished)
          }
        } ended: { _ in
          desk.finish(.finished)
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
struct MaterializePlan<Output, First: Error>: Plan {
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
