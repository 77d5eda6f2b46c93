// Long, since it has every operator that takes a closure. `Scripts/checked-operators` writes it, from the operators.
//
// With the trait `CheckedTransforms`, these are called instead of the plain ones. They do the same; but a closure that
// belongs to an actor, or shares what it captures with other code, does not compile. They are preferred as they ask for
// `SendableMetatype`, which every type conforms to that is not a generic parameter.

#if CheckedTransforms
  extension Publisher where Self: SendableMetatype, Output: Sendable {
    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    public func asyncSink(
      receiveCompletion: sending @escaping (Subscribers.Completion<Failure>) -> Void = { _ in },
      receiveValue: @escaping @Sendable (Output) async -> Void
    ) -> AnyCancellable {
      asyncMap { value async throws(Failure) in await receiveValue(value) }
        .sink(receiveCompletion: receiveCompletion, receiveValue: { _ in })
    }
  }

  extension Publisher where Self: SendableMetatype {
    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    public func debug(
      _ name: String = "", trim: Int? = nil, fileID: String = #fileID, line: Int = #line,
      to log: sending ((DebugEvent) -> Void)? = nil
    ) -> MorePublishers.Debug<Self> {
      MorePublishers.Debug(
        upstream: self, name: name, place: CallSite(fileID: fileID, line: line), trim: trim, log: log)
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func withLatestFrom<Other: Publisher, Result>(
      _ other: Other, resultSelector: sending @escaping (Output, Other.Output) -> Result
    ) -> MorePublishers.WithLatestFrom<Self, Other, Result> where Other.Failure == Failure {
      MorePublishers.WithLatestFrom(upstream: self, other: other, resultSelector: resultSelector)
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func withLatestFrom<Other: Publisher, Other1: Publisher, Result>(
      _ other: Other, _ other1: Other1,
      resultSelector: sending @escaping (Output, (Other.Output, Other1.Output)) -> Result
    ) -> MorePublishers.WithLatestFrom<Self, AnyPublisher<(Other.Output, Other1.Output), Failure>, Result>
    where Other.Failure == Failure, Other1.Failure == Failure {
      withLatestFrom(other.combineLatest(other1).eraseToAnyPublisher(), resultSelector: resultSelector)
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func withLatestFrom<Other: Publisher, Other1: Publisher, Other2: Publisher, Result>(
      _ other: Other, _ other1: Other1, _ other2: Other2,
      resultSelector: sending @escaping (Output, (Other.Output, Other1.Output, Other2.Output)) -> Result
    )
      -> MorePublishers.WithLatestFrom<
        Self, AnyPublisher<(Other.Output, Other1.Output, Other2.Output), Failure>, Result
      > where Other.Failure == Failure, Other1.Failure == Failure, Other2.Failure == Failure
    {
      withLatestFrom(
        other.combineLatest(other1, other2).eraseToAnyPublisher(), resultSelector: resultSelector)
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func onErrorResume<Kind: Error, Other: Publisher>(
      _ type: Kind.Type, _ handler: sending @escaping (Kind) -> Other
    ) -> AnyPublisher<Output, Failure> where Other.Output == Output, Other.Failure == Failure {
      Publishers.Catch(upstream: self) { error -> AnyPublisher<Output, Failure> in
        if let known = error as? Kind { return handler(known).eraseToAnyPublisher() }
        return Fail(error: error).eraseToAnyPublisher()
      }.eraseToAnyPublisher()
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    public func retry<Context: Scheduler>(
      _ policy: RetryPolicy, scheduler: Context, options: Context.SchedulerOptions? = nil,
      when isRetried: sending @escaping (Failure) -> Bool = { _ in true },
      onRetry: sending ((Failure, Int) -> Void)? = nil
    ) -> MorePublishers.RetryLater<Self, Context> {
      MorePublishers.RetryLater(
        upstream: self, policy: policy, scheduler: scheduler, options: options, isRetried: isRetried,
        onRetry: onRetry)
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    public func retry(
      _ policy: RetryPolicy, when isRetried: sending @escaping (Failure) -> Bool = { _ in true },
      onRetry: sending ((Failure, Int) -> Void)? = nil
    ) -> MorePublishers.RetryLater<Self, ClockScheduler<ContinuousClock>> {
      retry(policy, scheduler: ClockScheduler(clock: ContinuousClock()), when: isRetried, onRetry: onRetry)
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func retryWhen<Trigger: Publisher>(
      _ errorTrigger: sending @escaping (AnyPublisher<Failure, Never>) -> Trigger
    ) -> MorePublishers.RetryWhen<Self, Trigger, Output, Failure> {
      MorePublishers.RetryWhen(upstream: self, errorTrigger: errorTrigger)
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    public func repeatWhen<Trigger: Publisher>(
      _ trigger: sending @escaping (AnyPublisher<Void, Never>) -> Trigger
    ) -> MorePublishers.Repeat<Self> where Trigger.Failure == Failure {
      MorePublishers.Repeat(upstream: self, times: nil) { trigger($0).map { _ in }.eraseToAnyPublisher() }
    }
  }

  extension Publisher where Self: SendableMetatype, Failure == Never {
    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func tryMap<Result, Thrown: Error>(
      _ transform: sending @escaping (Output) throws(Thrown) -> Result
    ) -> MorePublishers.Throwing<Publishers.TryMap<Self, Result>, Thrown> {
      MorePublishers.Throwing(upstream: tryMap(transform))
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func tryCompactMap<Result, Thrown: Error>(
      _ transform: sending @escaping (Output) throws(Thrown) -> Result?
    ) -> MorePublishers.Throwing<Publishers.TryCompactMap<Self, Result>, Thrown> {
      MorePublishers.Throwing(upstream: tryCompactMap(transform))
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func tryFilter<Thrown: Error>(
      _ isIncluded: sending @escaping (Output) throws(Thrown) -> Bool
    ) -> MorePublishers.Throwing<Publishers.TryFilter<Self>, Thrown> {
      MorePublishers.Throwing(upstream: tryFilter(isIncluded))
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func tryScan<Result, Thrown: Error>(
      _ initialResult: Result,
      _ nextPartialResult: sending @escaping (Result, Output) throws(Thrown) -> Result
    ) -> MorePublishers.Throwing<Publishers.TryScan<Self, Result>, Thrown> {
      MorePublishers.Throwing(upstream: tryScan(initialResult, nextPartialResult))
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func tryReduce<Result, Thrown: Error>(
      _ initialResult: Result,
      _ nextPartialResult: sending @escaping (Result, Output) throws(Thrown) -> Result
    ) -> MorePublishers.Throwing<Publishers.TryReduce<Self, Result>, Thrown> {
      MorePublishers.Throwing(upstream: tryReduce(initialResult, nextPartialResult))
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func tryContains<Thrown: Error>(
      where predicate: sending @escaping (Output) throws(Thrown) -> Bool
    ) -> MorePublishers.Throwing<Publishers.TryContainsWhere<Self>, Thrown> {
      MorePublishers.Throwing(upstream: tryContains(where: predicate))
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func tryAllSatisfy<Thrown: Error>(
      _ predicate: sending @escaping (Output) throws(Thrown) -> Bool
    ) -> MorePublishers.Throwing<Publishers.TryAllSatisfy<Self>, Thrown> {
      MorePublishers.Throwing(upstream: tryAllSatisfy(predicate))
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func tryFirst<Thrown: Error>(
      where predicate: sending @escaping (Output) throws(Thrown) -> Bool
    ) -> MorePublishers.Throwing<Publishers.TryFirstWhere<Self>, Thrown> {
      MorePublishers.Throwing(upstream: tryFirst(where: predicate))
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func tryLast<Thrown: Error>(
      where predicate: sending @escaping (Output) throws(Thrown) -> Bool
    ) -> MorePublishers.Throwing<Publishers.TryLastWhere<Self>, Thrown> {
      MorePublishers.Throwing(upstream: tryLast(where: predicate))
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func tryMin<Thrown: Error>(
      by areInIncreasingOrder: sending @escaping (Output, Output) throws(Thrown) -> Bool
    ) -> MorePublishers.Throwing<Publishers.TryComparison<Self>, Thrown> {
      MorePublishers.Throwing(upstream: tryMin(by: areInIncreasingOrder))
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func tryMax<Thrown: Error>(
      by areInIncreasingOrder: sending @escaping (Output, Output) throws(Thrown) -> Bool
    ) -> MorePublishers.Throwing<Publishers.TryComparison<Self>, Thrown> {
      MorePublishers.Throwing(upstream: tryMax(by: areInIncreasingOrder))
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func tryRemoveDuplicates<Thrown: Error>(
      by predicate: sending @escaping (Output, Output) throws(Thrown) -> Bool
    ) -> MorePublishers.Throwing<Publishers.TryRemoveDuplicates<Self>, Thrown> {
      MorePublishers.Throwing(upstream: tryRemoveDuplicates(by: predicate))
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func tryDrop<Thrown: Error>(
      while predicate: sending @escaping (Output) throws(Thrown) -> Bool
    ) -> MorePublishers.Throwing<Publishers.TryDropWhile<Self>, Thrown> {
      MorePublishers.Throwing(upstream: tryDrop(while: predicate))
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func tryPrefix<Thrown: Error>(
      while predicate: sending @escaping (Output) throws(Thrown) -> Bool
    ) -> MorePublishers.Throwing<Publishers.TryPrefixWhile<Self>, Thrown> {
      MorePublishers.Throwing(upstream: tryPrefix(while: predicate))
    }
  }

  extension Publisher where Self: SendableMetatype {
    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func tryMap<Result>(
      _ transform: sending @escaping (Output) throws(Failure) -> Result
    ) -> MorePublishers.Throwing<Publishers.TryMap<Self, Result>, Failure> {
      MorePublishers.Throwing(upstream: tryMap(transform))
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func tryCompactMap<Result>(
      _ transform: sending @escaping (Output) throws(Failure) -> Result?
    ) -> MorePublishers.Throwing<Publishers.TryCompactMap<Self, Result>, Failure> {
      MorePublishers.Throwing(upstream: tryCompactMap(transform))
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func tryFilter(
      _ isIncluded: sending @escaping (Output) throws(Failure) -> Bool
    ) -> MorePublishers.Throwing<Publishers.TryFilter<Self>, Failure> {
      MorePublishers.Throwing(upstream: tryFilter(isIncluded))
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func tryScan<Result>(
      _ initialResult: Result,
      _ nextPartialResult: sending @escaping (Result, Output) throws(Failure) -> Result
    ) -> MorePublishers.Throwing<Publishers.TryScan<Self, Result>, Failure> {
      MorePublishers.Throwing(upstream: tryScan(initialResult, nextPartialResult))
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func tryReduce<Result>(
      _ initialResult: Result,
      _ nextPartialResult: sending @escaping (Result, Output) throws(Failure) -> Result
    ) -> MorePublishers.Throwing<Publishers.TryReduce<Self, Result>, Failure> {
      MorePublishers.Throwing(upstream: tryReduce(initialResult, nextPartialResult))
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func tryContains(
      where predicate: sending @escaping (Output) throws(Failure) -> Bool
    ) -> MorePublishers.Throwing<Publishers.TryContainsWhere<Self>, Failure> {
      MorePublishers.Throwing(upstream: tryContains(where: predicate))
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func tryAllSatisfy(
      _ predicate: sending @escaping (Output) throws(Failure) -> Bool
    ) -> MorePublishers.Throwing<Publishers.TryAllSatisfy<Self>, Failure> {
      MorePublishers.Throwing(upstream: tryAllSatisfy(predicate))
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func tryFirst(
      where predicate: sending @escaping (Output) throws(Failure) -> Bool
    ) -> MorePublishers.Throwing<Publishers.TryFirstWhere<Self>, Failure> {
      MorePublishers.Throwing(upstream: tryFirst(where: predicate))
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func tryLast(
      where predicate: sending @escaping (Output) throws(Failure) -> Bool
    ) -> MorePublishers.Throwing<Publishers.TryLastWhere<Self>, Failure> {
      MorePublishers.Throwing(upstream: tryLast(where: predicate))
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func tryMin(
      by areInIncreasingOrder: sending @escaping (Output, Output) throws(Failure) -> Bool
    ) -> MorePublishers.Throwing<Publishers.TryComparison<Self>, Failure> {
      MorePublishers.Throwing(upstream: tryMin(by: areInIncreasingOrder))
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func tryMax(
      by areInIncreasingOrder: sending @escaping (Output, Output) throws(Failure) -> Bool
    ) -> MorePublishers.Throwing<Publishers.TryComparison<Self>, Failure> {
      MorePublishers.Throwing(upstream: tryMax(by: areInIncreasingOrder))
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func tryRemoveDuplicates(
      by predicate: sending @escaping (Output, Output) throws(Failure) -> Bool
    ) -> MorePublishers.Throwing<Publishers.TryRemoveDuplicates<Self>, Failure> {
      MorePublishers.Throwing(upstream: tryRemoveDuplicates(by: predicate))
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func tryDrop(
      while predicate: sending @escaping (Output) throws(Failure) -> Bool
    ) -> MorePublishers.Throwing<Publishers.TryDropWhile<Self>, Failure> {
      MorePublishers.Throwing(upstream: tryDrop(while: predicate))
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func tryPrefix(
      while predicate: sending @escaping (Output) throws(Failure) -> Bool
    ) -> MorePublishers.Throwing<Publishers.TryPrefixWhile<Self>, Failure> {
      MorePublishers.Throwing(upstream: tryPrefix(while: predicate))
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func tryCatch<NewPublisher: Publisher>(
      _ handler: sending @escaping (Failure) throws(NewPublisher.Failure) -> NewPublisher
    ) -> MorePublishers.Throwing<Publishers.TryCatch<Self, NewPublisher>, NewPublisher.Failure>
    where NewPublisher.Output == Output {
      MorePublishers.Throwing(upstream: tryCatch(handler))
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func tryCatch<NewPublisher: Publisher, Thrown: Error>(
      _ handler: sending @escaping (Failure) throws(Thrown) -> NewPublisher
    ) -> MorePublishers.Throwing<Publishers.TryCatch<Self, NewPublisher>, Thrown>
    where NewPublisher.Output == Output, NewPublisher.Failure == Never {
      MorePublishers.Throwing(upstream: tryCatch(handler))
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func collect(until isLast: sending @escaping (Output) -> Bool) -> MorePublishers.CollectUntil<Self>
    {
      MorePublishers.CollectUntil(upstream: self, isLast: isLast)
    }

    /// The same with a key path.
    @_disfavoredOverload
    @inlinable
    public func collect(until isLast: KeyPath<Output, Bool>) -> MorePublishers.CollectUntil<Self> {
      let path = isLast
      let isLast: (Output) -> Bool = { $0[keyPath: path] }
      return MorePublishers.CollectUntil(upstream: self, isLast: isLast)
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func partition(
      _ predicate: sending @escaping (Output) -> Bool
    ) -> (matches: AnyPublisher<Output, Failure>, nonMatches: AnyPublisher<Output, Failure>) {
      let shared = SharedSubject(groups: 2, reconnects: false) { PassthroughSubject<Output, Failure>() }
      return (
        Publishers.Filter(upstream: Branch(self, shared, 0), isIncluded: predicate).eraseToAnyPublisher(),
        Publishers.Filter(upstream: Branch(self, shared, 1)) { !predicate($0) }.eraseToAnyPublisher()
      )
    }

    /// The same with a key path.
    @_disfavoredOverload
    @inlinable
    public func partition(
      _ predicate: KeyPath<Output, Bool>
    ) -> (matches: AnyPublisher<Output, Failure>, nonMatches: AnyPublisher<Output, Failure>) {
      let path = predicate
      let predicate: (Output) -> Bool = { $0[keyPath: path] }
      let shared = SharedSubject(groups: 2, reconnects: false) { PassthroughSubject<Output, Failure>() }
      return (
        Publishers.Filter(upstream: Branch(self, shared, 0), isIncluded: predicate).eraseToAnyPublisher(),
        Publishers.Filter(upstream: Branch(self, shared, 1)) { !predicate($0) }.eraseToAnyPublisher()
      )
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func prefix(
      while predicate: sending @escaping (Output) -> Bool, behavior: PrefixWhileBehavior
    ) -> AnyPublisher<Output, Failure> {
      switch behavior {
      case .inclusive:
        MorePublishers.PrefixInclusive(upstream: self, predicate: predicate).eraseToAnyPublisher()
      case .exclusive: Publishers.PrefixWhile(upstream: self, predicate: predicate).eraseToAnyPublisher()
      }
    }

    /// The same with a key path.
    @_disfavoredOverload
    @inlinable
    public func prefix(
      while predicate: KeyPath<Output, Bool>, behavior: PrefixWhileBehavior
    ) -> AnyPublisher<Output, Failure> {
      let path = predicate
      let predicate: (Output) -> Bool = { $0[keyPath: path] }
      return switch behavior {
      case .inclusive:
        MorePublishers.PrefixInclusive(upstream: self, predicate: predicate).eraseToAnyPublisher()
      case .exclusive: Publishers.PrefixWhile(upstream: self, predicate: predicate).eraseToAnyPublisher()
      }
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func removeAllDuplicates(
      by comparator: sending @escaping (Output, Output) -> Bool
    ) -> MorePublishers.RemoveAllDuplicates<Self, [Output]> {
      MorePublishers.RemoveAllDuplicates(upstream: self, initial: []) { value, seen in
        if seen.contains(where: { comparator($0, value) }) { return false }
        seen.append(value)
        return true
      }
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func removeDuplicates<Key: Equatable>(
      on key: sending @escaping (Output) -> Key
    ) -> Publishers.RemoveDuplicates<Self> {
      Publishers.RemoveDuplicates(upstream: self) { key($0) == key($1) }
    }

    /// The same with a key path.
    @_disfavoredOverload
    @inlinable
    public func removeDuplicates<Key: Equatable>(
      on key: KeyPath<Output, Key>
    ) -> Publishers.RemoveDuplicates<Self> {
      let path = key
      let key: (Output) -> Key = { $0[keyPath: path] }
      return Publishers.RemoveDuplicates(upstream: self) { key($0) == key($1) }
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func expand<Child: Publisher>(
      _ order: MorePublishers.ExpandOrder = .breadthFirst, _ transform: sending @escaping (Output) -> Child
    ) -> MorePublishers.Expand<Self, Child> where Child.Output == Output, Child.Failure == Failure {
      MorePublishers.Expand(upstream: self, order: order, transform: transform)
    }

    /// The same with a key path.
    @_disfavoredOverload
    @inlinable
    public func expand<Child: Publisher>(
      _ order: MorePublishers.ExpandOrder = .breadthFirst, _ transform: KeyPath<Output, Child>
    ) -> MorePublishers.Expand<Self, Child> where Child.Output == Output, Child.Failure == Failure {
      let path = transform
      let transform: (Output) -> Child = { $0[keyPath: path] }
      return MorePublishers.Expand(upstream: self, order: order, transform: transform)
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    public func groupBy<Key: Hashable>(
      maxGroups: Int, buffer: Int = 256, _ key: sending @escaping (Output) -> Key
    ) -> MorePublishers.GroupBy<Self, Key> {
      if maxGroups < 1 { Violation.emptyGroup(maxGroups) }
      return MorePublishers.GroupBy(upstream: self, maxGroups: maxGroups, buffer: buffer, key: key)
    }

    /// The same with a key path.
    @_disfavoredOverload
    public func groupBy<Key: Hashable>(
      maxGroups: Int, buffer: Int = 256, _ key: KeyPath<Output, Key>
    ) -> MorePublishers.GroupBy<Self, Key> {
      let path = key
      let key: (Output) -> Key = { $0[keyPath: path] }
      if maxGroups < 1 { Violation.emptyGroup(maxGroups) }
      return MorePublishers.GroupBy(upstream: self, maxGroups: maxGroups, buffer: buffer, key: key)
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func flatMap<Child: Publisher>(
      maxConcurrent: Int, waiting: Subscribers.Demand = .unlimited,
      _ transform: sending @escaping (Output) -> Child
    ) -> MorePublishers.QueuedFlatMap<Child, Self> where Child.Failure == Failure {
      MorePublishers.QueuedFlatMap(
        upstream: self, ChildQueuePolicy(maxConcurrent, waiting: waiting), transform)
    }

    /// The same with a key path.
    @_disfavoredOverload
    @inlinable
    public func flatMap<Child: Publisher>(
      maxConcurrent: Int, waiting: Subscribers.Demand = .unlimited, _ transform: KeyPath<Output, Child>
    ) -> MorePublishers.QueuedFlatMap<Child, Self> where Child.Failure == Failure {
      let path = transform
      let transform: (Output) -> Child = { $0[keyPath: path] }
      return MorePublishers.QueuedFlatMap(
        upstream: self, ChildQueuePolicy(maxConcurrent, waiting: waiting), transform)
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func concatMap<Child: Publisher>(
      waiting: Subscribers.Demand = .unlimited, _ transform: sending @escaping (Output) -> Child
    ) -> MorePublishers.QueuedFlatMap<Child, Self> where Child.Failure == Failure {
      MorePublishers.QueuedFlatMap(upstream: self, ChildQueuePolicy(1, waiting: waiting), transform)
    }

    /// The same with a key path.
    @_disfavoredOverload
    @inlinable
    public func concatMap<Child: Publisher>(
      waiting: Subscribers.Demand = .unlimited, _ transform: KeyPath<Output, Child>
    ) -> MorePublishers.QueuedFlatMap<Child, Self> where Child.Failure == Failure {
      let path = transform
      let transform: (Output) -> Child = { $0[keyPath: path] }
      return MorePublishers.QueuedFlatMap(upstream: self, ChildQueuePolicy(1, waiting: waiting), transform)
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func flatMapFirst<Child: Publisher>(
      _ transform: sending @escaping (Output) -> Child
    ) -> MorePublishers.QueuedFlatMap<Child, Self> where Child.Failure == Failure {
      MorePublishers.QueuedFlatMap(upstream: self, ChildQueuePolicy(1, waiting: nil), transform)
    }

    /// The same with a key path.
    @_disfavoredOverload
    @inlinable
    public func flatMapFirst<Child: Publisher>(
      _ transform: KeyPath<Output, Child>
    ) -> MorePublishers.QueuedFlatMap<Child, Self> where Child.Failure == Failure {
      let path = transform
      let transform: (Output) -> Child = { $0[keyPath: path] }
      return MorePublishers.QueuedFlatMap(upstream: self, ChildQueuePolicy(1, waiting: nil), transform)
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func exhaustMap<Child: Publisher>(
      _ transform: sending @escaping (Output) -> Child
    ) -> MorePublishers.QueuedFlatMap<Child, Self> where Child.Failure == Failure {
      MorePublishers.QueuedFlatMap(upstream: self, ChildQueuePolicy(1, waiting: nil), transform)
    }

    /// The same with a key path.
    @_disfavoredOverload
    @inlinable
    public func exhaustMap<Child: Publisher>(
      _ transform: KeyPath<Output, Child>
    ) -> MorePublishers.QueuedFlatMap<Child, Self> where Child.Failure == Failure {
      let path = transform
      let transform: (Output) -> Child = { $0[keyPath: path] }
      return MorePublishers.QueuedFlatMap(upstream: self, ChildQueuePolicy(1, waiting: nil), transform)
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func flatMapDelayingErrors<Child: Publisher>(
      maxConcurrent: Int = .max, waiting: Subscribers.Demand = .unlimited,
      _ transform: sending @escaping (Output) -> Child
    ) -> MorePublishers.QueuedFlatMap<Child, Self> where Child.Failure == Failure {
      MorePublishers.QueuedFlatMap(
        upstream: self, ChildQueuePolicy(maxConcurrent, waiting: waiting, delaysErrors: true), transform)
    }

    /// The same with a key path.
    @_disfavoredOverload
    @inlinable
    public func flatMapDelayingErrors<Child: Publisher>(
      maxConcurrent: Int = .max, waiting: Subscribers.Demand = .unlimited,
      _ transform: KeyPath<Output, Child>
    ) -> MorePublishers.QueuedFlatMap<Child, Self> where Child.Failure == Failure {
      let path = transform
      let transform: (Output) -> Child = { $0[keyPath: path] }
      return MorePublishers.QueuedFlatMap(
        upstream: self, ChildQueuePolicy(maxConcurrent, waiting: waiting, delaysErrors: true), transform)
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func flatMapLatest<Child: Publisher>(
      _ transform: sending @escaping (Output) -> Child
    ) -> Publishers.SwitchToLatest<Child, Publishers.Map<Self, Child>> where Child.Failure == Failure {
      Publishers.Map(upstream: self, transform: transform).switchToLatest()
    }

    /// The same with a key path.
    @_disfavoredOverload
    @inlinable
    public func flatMapLatest<Child: Publisher>(
      _ transform: KeyPath<Output, Child>
    ) -> Publishers.SwitchToLatest<Child, Publishers.Map<Self, Child>> where Child.Failure == Failure {
      let path = transform
      let transform: (Output) -> Child = { $0[keyPath: path] }
      return Publishers.Map(upstream: self, transform: transform).switchToLatest()
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func switchMap<Child: Publisher>(
      _ transform: sending @escaping (Output) -> Child
    ) -> Publishers.SwitchToLatest<Child, Publishers.Map<Self, Child>> where Child.Failure == Failure {
      Publishers.Map(upstream: self, transform: transform).switchToLatest()
    }

    /// The same with a key path.
    @_disfavoredOverload
    @inlinable
    public func switchMap<Child: Publisher>(
      _ transform: KeyPath<Output, Child>
    ) -> Publishers.SwitchToLatest<Child, Publishers.Map<Self, Child>> where Child.Failure == Failure {
      let path = transform
      let transform: (Output) -> Child = { $0[keyPath: path] }
      return Publishers.Map(upstream: self, transform: transform).switchToLatest()
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func flatMapSequential<Child: Publisher>(
      maxConcurrent: Int = 256, prefetch: Int = 32, _ transform: sending @escaping (Output) -> Child
    ) -> MorePublishers.SequentialFlatMap<Child, Self> where Child.Failure == Failure {
      MorePublishers.SequentialFlatMap(
        upstream: self, maxConcurrent: maxConcurrent, prefetch: prefetch, transform: transform)
    }

    /// The same with a key path.
    @_disfavoredOverload
    @inlinable
    public func flatMapSequential<Child: Publisher>(
      maxConcurrent: Int = 256, prefetch: Int = 32, _ transform: KeyPath<Output, Child>
    ) -> MorePublishers.SequentialFlatMap<Child, Self> where Child.Failure == Failure {
      let path = transform
      let transform: (Output) -> Child = { $0[keyPath: path] }
      return MorePublishers.SequentialFlatMap(
        upstream: self, maxConcurrent: maxConcurrent, prefetch: prefetch, transform: transform)
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func concatMapEager<Child: Publisher>(
      maxConcurrent: Int = 256, prefetch: Int = 32, _ transform: sending @escaping (Output) -> Child
    ) -> MorePublishers.SequentialFlatMap<Child, Self> where Child.Failure == Failure {
      MorePublishers.SequentialFlatMap(
        upstream: self, maxConcurrent: maxConcurrent, prefetch: prefetch, transform: transform)
    }

    /// The same with a key path.
    @_disfavoredOverload
    @inlinable
    public func concatMapEager<Child: Publisher>(
      maxConcurrent: Int = 256, prefetch: Int = 32, _ transform: KeyPath<Output, Child>
    ) -> MorePublishers.SequentialFlatMap<Child, Self> where Child.Failure == Failure {
      let path = transform
      let transform: (Output) -> Child = { $0[keyPath: path] }
      return MorePublishers.SequentialFlatMap(
        upstream: self, maxConcurrent: maxConcurrent, prefetch: prefetch, transform: transform)
    }
  }

  extension Publisher where Self: SendableMetatype, Output: Collection {
    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func mapMany<Result>(
      _ transform: sending @escaping (Output.Element) -> Result
    ) -> Publishers.Map<Self, [Result]> {
      map { $0.map(transform) }
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func filterMany(
      _ isIncluded: sending @escaping (Output.Element) -> Bool
    ) -> Publishers.Map<Self, [Output.Element]> {
      map { $0.filter(isIncluded) }
    }
  }

  extension Publisher where Self: SendableMetatype {
    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    public func withUnretained<Object: AnyObject, Result>(
      _ object: Object, _ transform: sending @escaping (Object, Output) -> Result
    ) -> AnyPublisher<Result, Failure> {
      Publishers.Map(upstream: self) { [weak object] value in object.map { transform($0, value) } }
        .prefix { $0 != nil }.compactMap { $0 }.eraseToAnyPublisher()
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    @inlinable
    public func scan<Result>(
      into initialResult: Result, _ updateAccumulatingResult: sending @escaping (inout Result, Output) -> Void
    ) -> MorePublishers.ScanInto<Self, Result> {
      MorePublishers.ScanInto(upstream: self, initialResult: initialResult, update: updateAccumulatingResult)
    }

    /// As without the trait; its closures must be `sending`.
    @_disfavoredOverload
    public func throttle<Result, Context: Scheduler>(
      for interval: Context.SchedulerTimeType.Stride, scheduler: Context,
      reducing nextPartialResult: sending @escaping (Result?, Output) -> Result
    ) -> MorePublishers.ThrottleReducing<Self, Context, Result> {
      MorePublishers.ThrottleReducing(
        upstream: self, interval: interval, scheduler: scheduler, nextPartialResult: nextPartialResult)
    }
  }
#endif
