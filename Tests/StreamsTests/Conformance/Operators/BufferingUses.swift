import Streams

enum BufferingUses<P: Publisher & SendableMetatype>: Family {
  static var operators: [Use] {
    Use(
      "buffer(size:prefetch:whenFull:)",
      P.buffer(size:prefetch:whenFull:)
        as (P) -> (Int, Publishers.PrefetchStrategy, Publishers.BufferingStrategy<P.Failure>) ->
        Publishers.Buffer<P>)
  }

  static var types: [Use] {
    Use("Publishers.Buffer", publishes(Publishers.Buffer<P>.self, P.Output.self, P.Failure.self))
  }

  static var members: [Use] {
    Use("Publishers.Buffer.upstream", \.upstream as KeyPath<Publishers.Buffer<P>, P>)
    Use("Publishers.Buffer.size", \.size as KeyPath<Publishers.Buffer<P>, Int>)
    Use(
      "Publishers.Buffer.prefetch", \.prefetch as KeyPath<Publishers.Buffer<P>, Publishers.PrefetchStrategy>)
    Use(
      "Publishers.Buffer.whenFull",
      \.whenFull as KeyPath<Publishers.Buffer<P>, Publishers.BufferingStrategy<P.Failure>>)
    Use(
      "Publishers.Buffer.init(upstream:size:prefetch:whenFull:)",
      Publishers.Buffer<P>.init(upstream:size:prefetch:whenFull:)
        as (P, Int, Publishers.PrefetchStrategy, Publishers.BufferingStrategy<P.Failure>) ->
        Publishers.Buffer<P>)
  }
}

enum StrategiesUses<E: Error>: Family {
  typealias Prefetch = Publishers.PrefetchStrategy
  typealias Buffering = Publishers.BufferingStrategy<E>

  static var types: [Use] {
    Use("Publishers.PrefetchStrategy", Prefetch.self)
    Use("Publishers.BufferingStrategy", Buffering.self)
  }

  static var members: [Use] {
    Use("Publishers.PrefetchStrategy.keepFull", Prefetch.keepFull)
    Use("Publishers.PrefetchStrategy.byRequest", Prefetch.byRequest)
    Use("Publishers.PrefetchStrategy.==", (==) as (Prefetch, Prefetch) -> Bool)
    Use("Publishers.PrefetchStrategy.hash(into:)", hashes(Prefetch.self))
    Use("Publishers.PrefetchStrategy.hashValue", \.hashValue as KeyPath<Prefetch, Int>)
    Use("Publishers.BufferingStrategy.dropNewest", Buffering.dropNewest)
    Use("Publishers.BufferingStrategy.dropOldest", Buffering.dropOldest)
    Use(
      "Publishers.BufferingStrategy.customError",
      Buffering.customError as (@escaping () -> E) -> Buffering)
  }
}
