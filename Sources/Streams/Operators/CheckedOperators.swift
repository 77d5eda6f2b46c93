// Long, since it has every operator that takes a closure. `Scripts/checked-operators` writes it, from the operators.
//
// With the trait `CheckedTransforms`, these are called instead of the plain ones. They do the same; but a closure that
// belongs to an actor, or shares what it captures with other code, does not compile. They are preferred as they ask for
// `SendableMetatype`, which every type conforms to that is not a generic parameter.

#if CheckedTransforms
  extension Publisher where Self: SendableMetatype {
    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func combineLatest<P: Publisher, Result>(
      _ other: P, _ transform: sending @escaping (Output, P.Output) -> Result
    ) -> Publishers.Map<Publishers.CombineLatest<Self, P>, Result>
    where P.Failure == Failure {
      Publishers.Map(upstream: combineLatest(other)) { transform($0.0, $0.1) }
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func combineLatest<P: Publisher, Q: Publisher, Result>(
      _ publisher1: P, _ publisher2: Q, _ transform: sending @escaping (Output, P.Output, Q.Output) -> Result
    ) -> Publishers.Map<Publishers.CombineLatest3<Self, P, Q>, Result>
    where P.Failure == Failure, Q.Failure == Failure {
      Publishers.Map(upstream: combineLatest(publisher1, publisher2)) { transform($0.0, $0.1, $0.2) }
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func combineLatest<P: Publisher, Q: Publisher, R: Publisher, Result>(
      _ publisher1: P, _ publisher2: Q, _ publisher3: R,
      _ transform: sending @escaping (Output, P.Output, Q.Output, R.Output) -> Result
    ) -> Publishers.Map<Publishers.CombineLatest4<Self, P, Q, R>, Result>
    where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
      Publishers.Map(upstream: combineLatest(publisher1, publisher2, publisher3)) {
        transform($0.0, $0.1, $0.2, $0.3)
      }
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func zip<P: Publisher, Result>(
      _ other: P, _ transform: sending @escaping (Output, P.Output) -> Result
    ) -> Publishers.Map<Publishers.Zip<Self, P>, Result>
    where P.Failure == Failure {
      Publishers.Map(upstream: zip(other)) { transform($0.0, $0.1) }
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func zip<P: Publisher, Q: Publisher, Result>(
      _ publisher1: P, _ publisher2: Q, _ transform: sending @escaping (Output, P.Output, Q.Output) -> Result
    ) -> Publishers.Map<Publishers.Zip3<Self, P, Q>, Result>
    where P.Failure == Failure, Q.Failure == Failure {
      Publishers.Map(upstream: zip(publisher1, publisher2)) { transform($0.0, $0.1, $0.2) }
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func zip<P: Publisher, Q: Publisher, R: Publisher, Result>(
      _ publisher1: P, _ publisher2: Q, _ publisher3: R,
      _ transform: sending @escaping (Output, P.Output, Q.Output, R.Output) -> Result
    ) -> Publishers.Map<Publishers.Zip4<Self, P, Q, R>, Result>
    where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
      Publishers.Map(upstream: zip(publisher1, publisher2, publisher3)) { transform($0.0, $0.1, $0.2, $0.3) }
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func `catch`<NewPublisher: Publisher>(
      _ handler: sending @escaping (Failure) -> NewPublisher
    ) -> Publishers.Catch<Self, NewPublisher> where NewPublisher.Output == Output {
      Publishers.Catch(upstream: self, handler: handler)
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func tryCatch<NewPublisher: Publisher>(
      _ handler: sending @escaping (Failure) throws -> NewPublisher
    ) -> Publishers.TryCatch<Self, NewPublisher> where NewPublisher.Output == Output {
      Publishers.TryCatch(upstream: self, handler: handler)
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func mapError<NewFailure: Error>(
      _ transform: sending @escaping (Failure) -> NewFailure
    ) -> Publishers.MapError<Self, NewFailure> {
      Publishers.MapError(upstream: self, transform: transform)
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func drop(while predicate: sending @escaping (Output) -> Bool) -> Publishers.DropWhile<Self> {
      Publishers.DropWhile(upstream: self, predicate: predicate)
    }

    /// The same with a key path.
    @inlinable
    public func drop(while predicate: KeyPath<Output, Bool>) -> Publishers.DropWhile<Self> {
      let path = predicate
      let predicate: (Output) -> Bool = { $0[keyPath: path] }
      return Publishers.DropWhile(upstream: self, predicate: predicate)
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func tryDrop(while predicate: sending @escaping (Output) throws -> Bool)
      -> Publishers.TryDropWhile<Self>
    {
      Publishers.TryDropWhile(upstream: self, predicate: predicate)
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func filter(_ isIncluded: sending @escaping (Output) -> Bool) -> Publishers.Filter<Self> {
      Publishers.Filter(upstream: self, isIncluded: isIncluded)
    }

    /// The same with a key path.
    @inlinable
    public func filter(_ isIncluded: KeyPath<Output, Bool>) -> Publishers.Filter<Self> {
      let path = isIncluded
      let isIncluded: (Output) -> Bool = { $0[keyPath: path] }
      return Publishers.Filter(upstream: self, isIncluded: isIncluded)
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func tryFilter(_ isIncluded: sending @escaping (Output) throws -> Bool)
      -> Publishers.TryFilter<Self>
    {
      Publishers.TryFilter(upstream: self, isIncluded: isIncluded)
    }
  }

  extension Publishers.Filter where Upstream: SendableMetatype {
    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func filter(_ isIncluded: sending @escaping (Output) -> Bool) -> Publishers.Filter<Upstream> {
      let first = self.isIncluded
      return Publishers.Filter(upstream: upstream) { first($0) && isIncluded($0) }
    }

    /// The same with a key path.
    @inlinable
    public func filter(_ isIncluded: KeyPath<Output, Bool>) -> Publishers.Filter<Upstream> {
      let path = isIncluded
      let isIncluded: (Output) -> Bool = { $0[keyPath: path] }
      let first = self.isIncluded
      return Publishers.Filter(upstream: upstream) { first($0) && isIncluded($0) }
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func tryFilter(_ isIncluded: sending @escaping (Output) throws -> Bool)
      -> Publishers.TryFilter<Upstream>
    {
      let first = self.isIncluded
      return Publishers.TryFilter(upstream: upstream) { try first($0) && isIncluded($0) }
    }
  }

  extension Publishers.TryFilter where Upstream: SendableMetatype {
    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func filter(_ isIncluded: sending @escaping (Output) -> Bool) -> Publishers.TryFilter<Upstream> {
      let first = self.isIncluded
      return Publishers.TryFilter(upstream: upstream) { try first($0) && isIncluded($0) }
    }

    /// The same with a key path.
    @inlinable
    public func filter(_ isIncluded: KeyPath<Output, Bool>) -> Publishers.TryFilter<Upstream> {
      let path = isIncluded
      let isIncluded: (Output) -> Bool = { $0[keyPath: path] }
      let first = self.isIncluded
      return Publishers.TryFilter(upstream: upstream) { try first($0) && isIncluded($0) }
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func tryFilter(_ isIncluded: sending @escaping (Output) throws -> Bool)
      -> Publishers.TryFilter<Upstream>
    {
      let first = self.isIncluded
      return Publishers.TryFilter(upstream: upstream) { try first($0) && isIncluded($0) }
    }
  }

  extension Publisher where Self: SendableMetatype {
    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func prefix(while predicate: sending @escaping (Output) -> Bool) -> Publishers.PrefixWhile<Self> {
      Publishers.PrefixWhile(upstream: self, predicate: predicate)
    }

    /// The same with a key path.
    @inlinable
    public func prefix(while predicate: KeyPath<Output, Bool>) -> Publishers.PrefixWhile<Self> {
      let path = predicate
      let predicate: (Output) -> Bool = { $0[keyPath: path] }
      return Publishers.PrefixWhile(upstream: self, predicate: predicate)
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func tryPrefix(while predicate: sending @escaping (Output) throws -> Bool)
      -> Publishers.TryPrefixWhile<Self>
    {
      Publishers.TryPrefixWhile(upstream: self, predicate: predicate)
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func removeDuplicates(
      by predicate: sending @escaping (Output, Output) -> Bool
    ) -> Publishers.RemoveDuplicates<Self> {
      Publishers.RemoveDuplicates(upstream: self, predicate: predicate)
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func tryRemoveDuplicates(
      by predicate: sending @escaping (Output, Output) throws -> Bool
    ) -> Publishers.TryRemoveDuplicates<Self> {
      Publishers.TryRemoveDuplicates(upstream: self, predicate: predicate)
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func flatMap<Result, Child: Publisher>(
      maxPublishers: Subscribers.Demand = .unlimited, _ transform: sending @escaping (Output) -> Child
    ) -> Publishers.FlatMap<Child, Self> where Result == Child.Output, Failure == Child.Failure {
      Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
    }

    /// The same with a key path.
    @inlinable
    public func flatMap<Result, Child: Publisher>(
      maxPublishers: Subscribers.Demand = .unlimited, _ transform: KeyPath<Output, Child>
    ) -> Publishers.FlatMap<Child, Self> where Result == Child.Output, Failure == Child.Failure {
      let path = transform
      let transform: (Output) -> Child = { $0[keyPath: path] }
      return Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func flatMap<Child: Publisher>(
      maxPublishers: Subscribers.Demand = .unlimited, _ transform: sending @escaping (Output) -> Child
    ) -> Publishers.FlatMap<Publishers.SetFailureType<Child, Failure>, Self> where Child.Failure == Never {
      Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers) {
        transform($0).setFailureType(to: Failure.self)
      }
    }

    /// The same with a key path.
    @inlinable
    public func flatMap<Child: Publisher>(
      maxPublishers: Subscribers.Demand = .unlimited, _ transform: KeyPath<Output, Child>
    ) -> Publishers.FlatMap<Publishers.SetFailureType<Child, Failure>, Self> where Child.Failure == Never {
      let path = transform
      let transform: (Output) -> Child = { $0[keyPath: path] }
      return Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers) {
        transform($0).setFailureType(to: Failure.self)
      }
    }
  }

  extension Publisher where Self: SendableMetatype, Failure == Never {
    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func flatMap<Child: Publisher>(
      maxPublishers: Subscribers.Demand = .unlimited, _ transform: sending @escaping (Output) -> Child
    ) -> Publishers.FlatMap<Child, Publishers.SetFailureType<Self, Child.Failure>> {
      Publishers.FlatMap(
        upstream: setFailureType(to: Child.Failure.self), maxPublishers: maxPublishers, transform: transform)
    }

    /// The same with a key path.
    @inlinable
    public func flatMap<Child: Publisher>(
      maxPublishers: Subscribers.Demand = .unlimited, _ transform: KeyPath<Output, Child>
    ) -> Publishers.FlatMap<Child, Publishers.SetFailureType<Self, Child.Failure>> {
      let path = transform
      let transform: (Output) -> Child = { $0[keyPath: path] }
      return Publishers.FlatMap(
        upstream: setFailureType(to: Child.Failure.self), maxPublishers: maxPublishers, transform: transform)
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func flatMap<Child: Publisher>(
      maxPublishers: Subscribers.Demand = .unlimited, _ transform: sending @escaping (Output) -> Child
    ) -> Publishers.FlatMap<Child, Self> where Child.Failure == Never {
      Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
    }

    /// The same with a key path.
    @inlinable
    public func flatMap<Child: Publisher>(
      maxPublishers: Subscribers.Demand = .unlimited, _ transform: KeyPath<Output, Child>
    ) -> Publishers.FlatMap<Child, Self> where Child.Failure == Never {
      let path = transform
      let transform: (Output) -> Child = { $0[keyPath: path] }
      return Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
    }
  }

  extension Publisher where Self: SendableMetatype {
    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func allSatisfy(_ predicate: sending @escaping (Output) -> Bool) -> Publishers.AllSatisfy<Self> {
      Publishers.AllSatisfy(upstream: self, predicate: predicate)
    }

    /// The same with a key path.
    @inlinable
    public func allSatisfy(_ predicate: KeyPath<Output, Bool>) -> Publishers.AllSatisfy<Self> {
      let path = predicate
      let predicate: (Output) -> Bool = { $0[keyPath: path] }
      return Publishers.AllSatisfy(upstream: self, predicate: predicate)
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func tryAllSatisfy(_ predicate: sending @escaping (Output) throws -> Bool)
      -> Publishers.TryAllSatisfy<Self>
    {
      Publishers.TryAllSatisfy(upstream: self, predicate: predicate)
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func min(by areInIncreasingOrder: sending @escaping (Output, Output) -> Bool)
      -> Publishers.Comparison<Self>
    {
      Publishers.Comparison(upstream: self) { areInIncreasingOrder($1, $0) }
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func max(by areInIncreasingOrder: sending @escaping (Output, Output) -> Bool)
      -> Publishers.Comparison<Self>
    {
      Publishers.Comparison(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func tryMin(
      by areInIncreasingOrder: sending @escaping (Output, Output) throws -> Bool
    ) -> Publishers.TryComparison<Self> {
      Publishers.TryComparison(upstream: self) { try areInIncreasingOrder($1, $0) }
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func tryMax(
      by areInIncreasingOrder: sending @escaping (Output, Output) throws -> Bool
    ) -> Publishers.TryComparison<Self> {
      Publishers.TryComparison(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func contains(where predicate: sending @escaping (Output) -> Bool)
      -> Publishers.ContainsWhere<Self>
    {
      Publishers.ContainsWhere(upstream: self, predicate: predicate)
    }

    /// The same with a key path.
    @inlinable
    public func contains(where predicate: KeyPath<Output, Bool>) -> Publishers.ContainsWhere<Self> {
      let path = predicate
      let predicate: (Output) -> Bool = { $0[keyPath: path] }
      return Publishers.ContainsWhere(upstream: self, predicate: predicate)
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func tryContains(where predicate: sending @escaping (Output) throws -> Bool)
      -> Publishers.TryContainsWhere<Self>
    {
      Publishers.TryContainsWhere(upstream: self, predicate: predicate)
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func first(where predicate: sending @escaping (Output) -> Bool) -> Publishers.FirstWhere<Self> {
      Publishers.FirstWhere(upstream: self, predicate: predicate)
    }

    /// The same with a key path.
    @inlinable
    public func first(where predicate: KeyPath<Output, Bool>) -> Publishers.FirstWhere<Self> {
      let path = predicate
      let predicate: (Output) -> Bool = { $0[keyPath: path] }
      return Publishers.FirstWhere(upstream: self, predicate: predicate)
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func tryFirst(where predicate: sending @escaping (Output) throws -> Bool)
      -> Publishers.TryFirstWhere<Self>
    {
      Publishers.TryFirstWhere(upstream: self, predicate: predicate)
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func last(where predicate: sending @escaping (Output) -> Bool) -> Publishers.LastWhere<Self> {
      Publishers.LastWhere(upstream: self, predicate: predicate)
    }

    /// The same with a key path.
    @inlinable
    public func last(where predicate: KeyPath<Output, Bool>) -> Publishers.LastWhere<Self> {
      let path = predicate
      let predicate: (Output) -> Bool = { $0[keyPath: path] }
      return Publishers.LastWhere(upstream: self, predicate: predicate)
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func tryLast(where predicate: sending @escaping (Output) throws -> Bool)
      -> Publishers.TryLastWhere<Self>
    {
      Publishers.TryLastWhere(upstream: self, predicate: predicate)
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func reduce<Result>(
      _ initialResult: Result, _ nextPartialResult: sending @escaping (Result, Output) -> Result
    ) -> Publishers.Reduce<Self, Result> {
      Publishers.Reduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func tryReduce<Result>(
      _ initialResult: Result, _ nextPartialResult: sending @escaping (Result, Output) throws -> Result
    ) -> Publishers.TryReduce<Self, Result> {
      Publishers.TryReduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func compactMap<Result>(_ transform: sending @escaping (Output) -> Result?)
      -> Publishers.CompactMap<Self, Result>
    {
      Publishers.CompactMap(upstream: self, transform: transform)
    }

    /// The same with a key path.
    @inlinable
    public func compactMap<Result>(_ transform: KeyPath<Output, Result?>)
      -> Publishers.CompactMap<Self, Result>
    {
      let path = transform
      let transform: (Output) -> Result? = { $0[keyPath: path] }
      return Publishers.CompactMap(upstream: self, transform: transform)
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func tryCompactMap<Result>(
      _ transform: sending @escaping (Output) throws -> Result?
    ) -> Publishers.TryCompactMap<Self, Result> {
      Publishers.TryCompactMap(upstream: self, transform: transform)
    }
  }

  extension Publishers.CompactMap where Upstream: SendableMetatype {
    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func compactMap<Result>(
      _ transform: sending @escaping (Output) -> Result?
    ) -> Publishers.CompactMap<Upstream, Result> {
      let first = self.transform
      return Publishers.CompactMap<Upstream, Result>(upstream: upstream) { first($0).flatMap(transform) }
    }

    /// The same with a key path.
    @inlinable
    public func compactMap<Result>(
      _ transform: KeyPath<Output, Result?>
    ) -> Publishers.CompactMap<Upstream, Result> {
      let path = transform
      let transform: (Output) -> Result? = { $0[keyPath: path] }
      let first = self.transform
      return Publishers.CompactMap<Upstream, Result>(upstream: upstream) { first($0).flatMap(transform) }
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func map<Result>(_ transform: sending @escaping (Output) -> Result)
      -> Publishers.CompactMap<Upstream, Result>
    {
      let first = self.transform
      return Publishers.CompactMap<Upstream, Result>(upstream: upstream) { first($0).map(transform) }
    }

    /// The same with a key path.
    @inlinable
    public func map<Result>(_ transform: KeyPath<Output, Result>)
      -> Publishers.CompactMap<Upstream, Result>
    {
      let path = transform
      let transform: (Output) -> Result = { $0[keyPath: path] }
      let first = self.transform
      return Publishers.CompactMap<Upstream, Result>(upstream: upstream) { first($0).map(transform) }
    }
  }

  extension Publishers.TryCompactMap where Upstream: SendableMetatype {
    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func compactMap<Result>(
      _ transform: sending @escaping (Output) throws -> Result?
    ) -> Publishers.TryCompactMap<Upstream, Result> {
      let first = self.transform
      return Publishers.TryCompactMap<Upstream, Result>(upstream: upstream) {
        try first($0).flatMap(transform)
      }
    }
  }

  extension Publisher where Self: SendableMetatype {
    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func map<Result>(_ transform: sending @escaping (Output) -> Result) -> Publishers.Map<Self, Result>
    {
      Publishers.Map(upstream: self, transform: transform)
    }

    /// The same with a key path.
    @inlinable
    public func map<Result>(_ transform: KeyPath<Output, Result>) -> Publishers.Map<Self, Result> {
      let path = transform
      let transform: (Output) -> Result = { $0[keyPath: path] }
      return Publishers.Map(upstream: self, transform: transform)
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func tryMap<Result>(_ transform: sending @escaping (Output) throws -> Result)
      -> Publishers.TryMap<Self, Result>
    {
      Publishers.TryMap(upstream: self, transform: transform)
    }
  }

  extension Publishers.Map where Upstream: SendableMetatype {
    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func map<Result>(_ transform: sending @escaping (Output) -> Result)
      -> Publishers.Map<Upstream, Result>
    {
      let first = self.transform
      return Publishers.Map<Upstream, Result>(upstream: upstream) { transform(first($0)) }
    }

    /// The same with a key path.
    @inlinable
    public func map<Result>(_ transform: KeyPath<Output, Result>) -> Publishers.Map<Upstream, Result> {
      let path = transform
      let transform: (Output) -> Result = { $0[keyPath: path] }
      let first = self.transform
      return Publishers.Map<Upstream, Result>(upstream: upstream) { transform(first($0)) }
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func tryMap<Result>(
      _ transform: sending @escaping (Output) throws -> Result
    ) -> Publishers.TryMap<Upstream, Result> {
      let first = self.transform
      return Publishers.TryMap<Upstream, Result>(upstream: upstream) { try transform(first($0)) }
    }
  }

  extension Publishers.TryMap where Upstream: SendableMetatype {
    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func map<Result>(_ transform: sending @escaping (Output) -> Result)
      -> Publishers.TryMap<Upstream, Result>
    {
      let first = self.transform
      return Publishers.TryMap<Upstream, Result>(upstream: upstream) { try transform(first($0)) }
    }

    /// The same with a key path.
    @inlinable
    public func map<Result>(_ transform: KeyPath<Output, Result>) -> Publishers.TryMap<Upstream, Result> {
      let path = transform
      let transform: (Output) -> Result = { $0[keyPath: path] }
      let first = self.transform
      return Publishers.TryMap<Upstream, Result>(upstream: upstream) { try transform(first($0)) }
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func tryMap<Result>(
      _ transform: sending @escaping (Output) throws -> Result
    ) -> Publishers.TryMap<Upstream, Result> {
      let first = self.transform
      return Publishers.TryMap<Upstream, Result>(upstream: upstream) { try transform(first($0)) }
    }
  }

  extension Publisher where Self: SendableMetatype {
    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func scan<Result>(
      _ initialResult: Result, _ nextPartialResult: sending @escaping (Result, Output) -> Result
    ) -> Publishers.Scan<Self, Result> {
      Publishers.Scan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func tryScan<Result>(
      _ initialResult: Result, _ nextPartialResult: sending @escaping (Result, Output) throws -> Result
    ) -> Publishers.TryScan<Self, Result> {
      Publishers.TryScan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func multicast<Middle: Subject>(
      _ createSubject: sending @escaping () -> Middle
    ) -> Publishers.Multicast<Self, Middle> where Middle.Output == Output, Middle.Failure == Failure {
      Publishers.Multicast(upstream: self, createSubject: createSubject)
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func timeout<Context: Scheduler>(
      _ interval: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions? = nil, customError: sending (() -> Failure)? = nil
    ) -> Publishers.Timeout<Self, Context> {
      Publishers.Timeout(
        upstream: self, interval: interval, scheduler: scheduler, options: options, customError: customError)
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func breakpoint(
      receiveSubscription: sending ((any Subscription) -> Bool)? = nil,
      receiveOutput: sending ((Output) -> Bool)? = nil,
      receiveCompletion: sending ((Subscribers.Completion<Failure>) -> Bool)? = nil
    ) -> Publishers.Breakpoint<Self> {
      Publishers.Breakpoint(
        upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
        receiveCompletion: receiveCompletion)
    }

    /// As without the trait; its closures must be `sending`.
    @inlinable
    public func handleEvents(
      receiveSubscription: sending ((any Subscription) -> Void)? = nil,
      receiveOutput: sending ((Output) -> Void)? = nil,
      receiveCompletion: sending ((Subscribers.Completion<Failure>) -> Void)? = nil,
      receiveCancel: sending (() -> Void)? = nil,
      receiveRequest: sending ((Subscribers.Demand) -> Void)? = nil
    ) -> Publishers.HandleEvents<Self> {
      Publishers.HandleEvents(
        upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
        receiveCompletion: receiveCompletion, receiveCancel: receiveCancel, receiveRequest: receiveRequest)
    }
  }
#endif
