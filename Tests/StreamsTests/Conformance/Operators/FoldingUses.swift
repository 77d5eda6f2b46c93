import Streams

enum FoldingUses<P: Publisher & SendableMetatype, T>: Family {
  static var operators: [Use] {
    Use("reduce(_:_:)", P.reduce(_:_:) as (P) -> (T, @escaping (T, P.Output) -> T) -> Publishers.Reduce<P, T>)
    Use(
      "tryReduce(_:_:)",
      P.tryReduce(_:_:) as (P) -> (T, @escaping (T, P.Output) throws -> T) -> Publishers.TryReduce<P, T>)
    Use("collect()", P.collect as (P) -> () -> Publishers.Collect<P>)
    Use("collect(_:)", P.collect(_:) as (P) -> (Int) -> Publishers.CollectByCount<P>)
    Use("count()", P.count as (P) -> () -> Publishers.Count<P>)
    Use("min(by:)", P.min(by:) as (P) -> (@escaping (P.Output, P.Output) -> Bool) -> Publishers.Comparison<P>)
    Use(
      "tryMin(by:)",
      P.tryMin(by:) as (P) -> (@escaping (P.Output, P.Output) throws -> Bool) -> Publishers.TryComparison<P>)
    Use("max(by:)", P.max(by:) as (P) -> (@escaping (P.Output, P.Output) -> Bool) -> Publishers.Comparison<P>)
    Use(
      "tryMax(by:)",
      P.tryMax(by:) as (P) -> (@escaping (P.Output, P.Output) throws -> Bool) -> Publishers.TryComparison<P>)
    Use(
      "contains(where:)",
      P.contains(where:) as (P) -> (@escaping (P.Output) -> Bool) -> Publishers.ContainsWhere<P>)
    Use(
      "tryContains(where:)",
      P.tryContains(where:) as (P) -> (@escaping (P.Output) throws -> Bool) -> Publishers.TryContainsWhere<P>)
    Use(
      "allSatisfy(_:)", P.allSatisfy(_:) as (P) -> (@escaping (P.Output) -> Bool) -> Publishers.AllSatisfy<P>)
    Use(
      "tryAllSatisfy(_:)",
      P.tryAllSatisfy(_:) as (P) -> (@escaping (P.Output) throws -> Bool) -> Publishers.TryAllSatisfy<P>)
    Use("first()", P.first as (P) -> () -> Publishers.First<P>)
    Use("first(where:)", P.first(where:) as (P) -> (@escaping (P.Output) -> Bool) -> Publishers.FirstWhere<P>)
    Use(
      "tryFirst(where:)",
      P.tryFirst(where:) as (P) -> (@escaping (P.Output) throws -> Bool) -> Publishers.TryFirstWhere<P>)
    Use("last(where:)", P.last(where:) as (P) -> (@escaping (P.Output) -> Bool) -> Publishers.LastWhere<P>)
    Use("last()", P.last as (P) -> () -> Publishers.Last<P>)
    Use(
      "tryLast(where:)",
      P.tryLast(where:) as (P) -> (@escaping (P.Output) throws -> Bool) -> Publishers.TryLastWhere<P>)
  }

  static var types: [Use] {
    Use("Publishers.Reduce", publishes(Publishers.Reduce<P, T>.self, T.self, P.Failure.self))
    Use("Publishers.TryReduce", publishes(Publishers.TryReduce<P, T>.self, T.self, (any Error).self))
    Use("Publishers.Collect", publishes(Publishers.Collect<P>.self, [P.Output].self, P.Failure.self))
    Use(
      "Publishers.CollectByCount",
      publishes(Publishers.CollectByCount<P>.self, [P.Output].self, P.Failure.self))
    Use("Publishers.Count", publishes(Publishers.Count<P>.self, Int.self, P.Failure.self))
    Use("Publishers.Comparison", publishes(Publishers.Comparison<P>.self, P.Output.self, P.Failure.self))
    Use(
      "Publishers.TryComparison", publishes(Publishers.TryComparison<P>.self, P.Output.self, (any Error).self)
    )
    Use("Publishers.ContainsWhere", publishes(Publishers.ContainsWhere<P>.self, Bool.self, P.Failure.self))
    Use(
      "Publishers.TryContainsWhere",
      publishes(Publishers.TryContainsWhere<P>.self, Bool.self, (any Error).self))
    Use("Publishers.AllSatisfy", publishes(Publishers.AllSatisfy<P>.self, Bool.self, P.Failure.self))
    Use("Publishers.TryAllSatisfy", publishes(Publishers.TryAllSatisfy<P>.self, Bool.self, (any Error).self))
    Use("Publishers.First", publishes(Publishers.First<P>.self, P.Output.self, P.Failure.self))
    Use("Publishers.FirstWhere", publishes(Publishers.FirstWhere<P>.self, P.Output.self, P.Failure.self))
    Use(
      "Publishers.TryFirstWhere", publishes(Publishers.TryFirstWhere<P>.self, P.Output.self, (any Error).self)
    )
    Use("Publishers.Last", publishes(Publishers.Last<P>.self, P.Output.self, P.Failure.self))
    Use("Publishers.LastWhere", publishes(Publishers.LastWhere<P>.self, P.Output.self, P.Failure.self))
    Use(
      "Publishers.TryLastWhere", publishes(Publishers.TryLastWhere<P>.self, P.Output.self, (any Error).self))
  }

  static var members: [Use] {
    Use("Publishers.Reduce.upstream", \.upstream as KeyPath<Publishers.Reduce<P, T>, P>)
    Use("Publishers.Reduce.initial", \.initial as KeyPath<Publishers.Reduce<P, T>, T>)
    Use(
      "Publishers.Reduce.nextPartialResult",
      \.nextPartialResult as KeyPath<Publishers.Reduce<P, T>, (T, P.Output) -> T>)
    Use(
      "Publishers.Reduce.init(upstream:initial:nextPartialResult:)",
      Publishers.Reduce<P, T>.init(upstream:initial:nextPartialResult:)
        as (P, T, @escaping (T, P.Output) -> T) -> Publishers.Reduce<P, T>)
    Use("Publishers.TryReduce.Failure", Publishers.TryReduce<P, T>.Failure.self as (any Error).Type)
    Use("Publishers.TryReduce.upstream", \.upstream as KeyPath<Publishers.TryReduce<P, T>, P>)
    Use("Publishers.TryReduce.initial", \.initial as KeyPath<Publishers.TryReduce<P, T>, T>)
    Use(
      "Publishers.TryReduce.nextPartialResult",
      \.nextPartialResult as KeyPath<Publishers.TryReduce<P, T>, (T, P.Output) throws -> T>)
    Use(
      "Publishers.TryReduce.init(upstream:initial:nextPartialResult:)",
      Publishers.TryReduce<P, T>.init(upstream:initial:nextPartialResult:)
        as (P, T, @escaping (T, P.Output) throws -> T) -> Publishers.TryReduce<P, T>)
    Use("Publishers.Collect.Output", Publishers.Collect<P>.Output.self as [P.Output].Type)
    Use("Publishers.Collect.upstream", \.upstream as KeyPath<Publishers.Collect<P>, P>)
    Use(
      "Publishers.Collect.init(upstream:)",
      Publishers.Collect<P>.init(upstream:) as (P) -> Publishers.Collect<P>)
    Use("Publishers.CollectByCount.Output", Publishers.CollectByCount<P>.Output.self as [P.Output].Type)
    Use("Publishers.CollectByCount.upstream", \.upstream as KeyPath<Publishers.CollectByCount<P>, P>)
    Use("Publishers.CollectByCount.count", \.count as KeyPath<Publishers.CollectByCount<P>, Int>)
    Use(
      "Publishers.CollectByCount.init(upstream:count:)",
      Publishers.CollectByCount<P>.init(upstream:count:) as (P, Int) -> Publishers.CollectByCount<P>)
    Use("Publishers.Count.Output", Publishers.Count<P>.Output.self as Int.Type)
    Use("Publishers.Count.upstream", \.upstream as KeyPath<Publishers.Count<P>, P>)
    Use("Publishers.Count.init(upstream:)", Publishers.Count<P>.init(upstream:) as (P) -> Publishers.Count<P>)
    Use("Publishers.Comparison.upstream", \.upstream as KeyPath<Publishers.Comparison<P>, P>)
    Use(
      "Publishers.Comparison.areInIncreasingOrder",
      \.areInIncreasingOrder as KeyPath<Publishers.Comparison<P>, (P.Output, P.Output) -> Bool>)
    Use(
      "Publishers.Comparison.init(upstream:areInIncreasingOrder:)",
      Publishers.Comparison<P>.init(upstream:areInIncreasingOrder:)
        as (P, @escaping (P.Output, P.Output) -> Bool) -> Publishers.Comparison<P>)
    Use("Publishers.TryComparison.Failure", Publishers.TryComparison<P>.Failure.self as (any Error).Type)
    Use("Publishers.TryComparison.upstream", \.upstream as KeyPath<Publishers.TryComparison<P>, P>)
    Use(
      "Publishers.TryComparison.areInIncreasingOrder",
      \.areInIncreasingOrder as KeyPath<Publishers.TryComparison<P>, (P.Output, P.Output) throws -> Bool>)
    Use(
      "Publishers.TryComparison.init(upstream:areInIncreasingOrder:)",
      Publishers.TryComparison<P>.init(upstream:areInIncreasingOrder:)
        as (P, @escaping (P.Output, P.Output) throws -> Bool) -> Publishers.TryComparison<P>)
    Use("Publishers.ContainsWhere.Output", Publishers.ContainsWhere<P>.Output.self as Bool.Type)
    Use("Publishers.ContainsWhere.upstream", \.upstream as KeyPath<Publishers.ContainsWhere<P>, P>)
    Use(
      "Publishers.ContainsWhere.predicate",
      \.predicate as KeyPath<Publishers.ContainsWhere<P>, (P.Output) -> Bool>)
    Use(
      "Publishers.ContainsWhere.init(upstream:predicate:)",
      Publishers.ContainsWhere<P>.init(upstream:predicate:)
        as (P, @escaping (P.Output) -> Bool) -> Publishers.ContainsWhere<P>)
    Use("Publishers.TryContainsWhere.Output", Publishers.TryContainsWhere<P>.Output.self as Bool.Type)
    Use(
      "Publishers.TryContainsWhere.Failure", Publishers.TryContainsWhere<P>.Failure.self as (any Error).Type)
    Use("Publishers.TryContainsWhere.upstream", \.upstream as KeyPath<Publishers.TryContainsWhere<P>, P>)
    Use(
      "Publishers.TryContainsWhere.predicate",
      \.predicate as KeyPath<Publishers.TryContainsWhere<P>, (P.Output) throws -> Bool>)
    Use(
      "Publishers.TryContainsWhere.init(upstream:predicate:)",
      Publishers.TryContainsWhere<P>.init(upstream:predicate:)
        as (P, @escaping (P.Output) throws -> Bool) -> Publishers.TryContainsWhere<P>)
    Use("Publishers.AllSatisfy.Output", Publishers.AllSatisfy<P>.Output.self as Bool.Type)
    Use("Publishers.AllSatisfy.upstream", \.upstream as KeyPath<Publishers.AllSatisfy<P>, P>)
    Use(
      "Publishers.AllSatisfy.predicate", \.predicate as KeyPath<Publishers.AllSatisfy<P>, (P.Output) -> Bool>)
    Use(
      "Publishers.AllSatisfy.init(upstream:predicate:)",
      Publishers.AllSatisfy<P>.init(upstream:predicate:)
        as (P, @escaping (P.Output) -> Bool) -> Publishers.AllSatisfy<P>)
    Use("Publishers.TryAllSatisfy.Output", Publishers.TryAllSatisfy<P>.Output.self as Bool.Type)
    Use("Publishers.TryAllSatisfy.Failure", Publishers.TryAllSatisfy<P>.Failure.self as (any Error).Type)
    Use("Publishers.TryAllSatisfy.upstream", \.upstream as KeyPath<Publishers.TryAllSatisfy<P>, P>)
    Use(
      "Publishers.TryAllSatisfy.predicate",
      \.predicate as KeyPath<Publishers.TryAllSatisfy<P>, (P.Output) throws -> Bool>)
    Use(
      "Publishers.TryAllSatisfy.init(upstream:predicate:)",
      Publishers.TryAllSatisfy<P>.init(upstream:predicate:)
        as (P, @escaping (P.Output) throws -> Bool) -> Publishers.TryAllSatisfy<P>)
    Use("Publishers.First.upstream", \.upstream as KeyPath<Publishers.First<P>, P>)
    Use("Publishers.First.init(upstream:)", Publishers.First<P>.init(upstream:) as (P) -> Publishers.First<P>)
    Use("Publishers.FirstWhere.upstream", \.upstream as KeyPath<Publishers.FirstWhere<P>, P>)
    Use(
      "Publishers.FirstWhere.predicate", \.predicate as KeyPath<Publishers.FirstWhere<P>, (P.Output) -> Bool>)
    Use(
      "Publishers.FirstWhere.init(upstream:predicate:)",
      Publishers.FirstWhere<P>.init(upstream:predicate:)
        as (P, @escaping (P.Output) -> Bool) -> Publishers.FirstWhere<P>)
    Use("Publishers.TryFirstWhere.Failure", Publishers.TryFirstWhere<P>.Failure.self as (any Error).Type)
    Use("Publishers.TryFirstWhere.upstream", \.upstream as KeyPath<Publishers.TryFirstWhere<P>, P>)
    Use(
      "Publishers.TryFirstWhere.predicate",
      \.predicate as KeyPath<Publishers.TryFirstWhere<P>, (P.Output) throws -> Bool>)
    Use(
      "Publishers.TryFirstWhere.init(upstream:predicate:)",
      Publishers.TryFirstWhere<P>.init(upstream:predicate:)
        as (P, @escaping (P.Output) throws -> Bool) -> Publishers.TryFirstWhere<P>)
    Use("Publishers.Last.upstream", \.upstream as KeyPath<Publishers.Last<P>, P>)
    Use("Publishers.Last.init(upstream:)", Publishers.Last<P>.init(upstream:) as (P) -> Publishers.Last<P>)
    Use("Publishers.LastWhere.upstream", \.upstream as KeyPath<Publishers.LastWhere<P>, P>)
    Use("Publishers.LastWhere.predicate", \.predicate as KeyPath<Publishers.LastWhere<P>, (P.Output) -> Bool>)
    Use(
      "Publishers.LastWhere.init(upstream:predicate:)",
      Publishers.LastWhere<P>.init(upstream:predicate:)
        as (P, @escaping (P.Output) -> Bool) -> Publishers.LastWhere<P>)
    Use("Publishers.TryLastWhere.Failure", Publishers.TryLastWhere<P>.Failure.self as (any Error).Type)
    Use("Publishers.TryLastWhere.upstream", \.upstream as KeyPath<Publishers.TryLastWhere<P>, P>)
    Use(
      "Publishers.TryLastWhere.predicate",
      \.predicate as KeyPath<Publishers.TryLastWhere<P>, (P.Output) throws -> Bool>)
    Use(
      "Publishers.TryLastWhere.init(upstream:predicate:)",
      Publishers.TryLastWhere<P>.init(upstream:predicate:)
        as (P, @escaping (P.Output) throws -> Bool) -> Publishers.TryLastWhere<P>)
  }
}

enum ComparingUses<P: Publisher & SendableMetatype>: Family where P.Output: Comparable & SendableMetatype {
  static var operators: [Use] {
    Use("min()", P.min as (P) -> () -> Publishers.Comparison<P>)
    Use("max()", P.max as (P) -> () -> Publishers.Comparison<P>)
  }
}
