/// The publishers that Combine does not have, as `Publishers` has those of Combine.
///
/// They are not in `Publishers`, so that you can have types of the same names there.
public enum MorePublishers {}

/// What `Publishers` has beyond Combine. You never use this protocol yourself.
///
/// Members of a protocol's extension yield to members of the type: if you declare `Publishers.Timer`, it is yours.
public protocol YieldingNames {}

extension Publishers: YieldingNames {}

// The names of CombineExt and combine-schedulers, for programs that spell them out.
extension YieldingNames {
  /// The publisher of ``Publisher/amb(_:)``.
  public typealias Amb<First: Publisher, Second: Publisher> = MorePublishers.Amb<First, Second>
  where First.Output == Second.Output, First.Failure == Second.Failure

  /// A publisher of what a closure sends.
  public typealias Create<Output, Failure: Error> = MorePublishers.Create<Output, Failure>

  /// The publisher of ``Publisher/dematerialize()``.
  public typealias Dematerialize<Upstream: Publisher> = MorePublishers.Dematerialize<Upstream>
  where Upstream.Output: EventConvertible, Upstream.Failure == Never

  /// The publisher of ``Publisher/enumerated(initial:)``.
  public typealias Enumerated<Upstream: Publisher> = MorePublishers.Enumerated<Upstream>

  /// The publisher of ``Publisher/materialize()``.
  public typealias Materialize<Upstream: Publisher> = MorePublishers.Materialize<Upstream>

  /// The publisher of ``Publisher/retryWhen(_:)``.
  public typealias RetryWhen<Upstream: Publisher, Trigger: Publisher, Output, Failure: Error> =
    MorePublishers.RetryWhen<Upstream, Trigger, Output, Failure>
  where Output == Upstream.Output, Failure == Upstream.Failure

  /// A publisher of the time, on any scheduler.
  public typealias Timer<Context: Scheduler> = MorePublishers.Timer<Context>

  /// The publisher of ``Publisher/withLatestFrom(_:resultSelector:)``.
  public typealias WithLatestFrom<Upstream: Publisher, Other: Publisher, Output> =
    MorePublishers.WithLatestFrom<Upstream, Other, Output>
  where Upstream.Failure == Other.Failure
}
