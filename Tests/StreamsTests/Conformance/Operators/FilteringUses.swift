import Streams

enum FilteringUses<
  P: Publisher & SendableMetatype, Q: Publisher & SendableMetatype, R: RangeExpression & SendableMetatype
>: Family where R.Bound == Int {
  static var operators: [Use] {
    Use("filter(_:)", P.filter(_:) as (P) -> (@escaping (P.Output) -> Bool) -> Publishers.Filter<P>)
    Use(
      "tryFilter(_:)",
      P.tryFilter(_:) as (P) -> (@escaping (P.Output) throws -> Bool) -> Publishers.TryFilter<P>)
    Use(
      "dropFirst(_:)", P.dropFirst(_:) as (P) -> (Int) -> Publishers.Drop<P>,
      defaults: { (p: P) in p.dropFirst() })
    Use("drop(while:)", P.drop(while:) as (P) -> (@escaping (P.Output) -> Bool) -> Publishers.DropWhile<P>)
    Use(
      "tryDrop(while:)",
      P.tryDrop(while:) as (P) -> (@escaping (P.Output) throws -> Bool) -> Publishers.TryDropWhile<P>)
    Use("prefix(_:)", P.prefix(_:) as (P) -> (Int) -> Publishers.Output<P>)
    Use(
      "prefix(while:)", P.prefix(while:) as (P) -> (@escaping (P.Output) -> Bool) -> Publishers.PrefixWhile<P>
    )
    Use(
      "tryPrefix(while:)",
      P.tryPrefix(while:) as (P) -> (@escaping (P.Output) throws -> Bool) -> Publishers.TryPrefixWhile<P>)
    Use("output(at:)", P.output(at:) as (P) -> (Int) -> Publishers.Output<P>)
    Use("output(in:)", P.output(in:) as (P) -> (R) -> Publishers.Output<P>)
    Use(
      "removeDuplicates(by:)",
      P.removeDuplicates(by:)
        as (P) -> (@escaping (P.Output, P.Output) -> Bool) -> Publishers.RemoveDuplicates<P>)
    Use(
      "tryRemoveDuplicates(by:)",
      P.tryRemoveDuplicates(by:)
        as (P) -> (@escaping (P.Output, P.Output) throws -> Bool) -> Publishers.TryRemoveDuplicates<P>)
    Use("ignoreOutput()", P.ignoreOutput as (P) -> () -> Publishers.IgnoreOutput<P>)
    Use("replaceEmpty(with:)", P.replaceEmpty(with:) as (P) -> (P.Output) -> Publishers.ReplaceEmpty<P>)
    Use(
      "prefix(untilOutputFrom:)",
      P.prefix(untilOutputFrom:) as (P) -> (Q) -> Publishers.PrefixUntilOutput<P, Q>)
  }

  static var types: [Use] {
    Use("Publishers.Filter", publishes(Publishers.Filter<P>.self, P.Output.self, P.Failure.self))
    Use("Publishers.TryFilter", publishes(Publishers.TryFilter<P>.self, P.Output.self, (any Error).self))
    Use("Publishers.Drop", publishes(Publishers.Drop<P>.self, P.Output.self, P.Failure.self))
    Use("Publishers.DropWhile", publishes(Publishers.DropWhile<P>.self, P.Output.self, P.Failure.self))
    Use(
      "Publishers.TryDropWhile", publishes(Publishers.TryDropWhile<P>.self, P.Output.self, (any Error).self))
    Use("Publishers.PrefixWhile", publishes(Publishers.PrefixWhile<P>.self, P.Output.self, P.Failure.self))
    Use(
      "Publishers.TryPrefixWhile",
      publishes(Publishers.TryPrefixWhile<P>.self, P.Output.self, (any Error).self))
    Use("Publishers.Output", publishes(Publishers.Output<P>.self, P.Output.self, P.Failure.self))
    Use(
      "Publishers.RemoveDuplicates",
      publishes(Publishers.RemoveDuplicates<P>.self, P.Output.self, P.Failure.self))
    Use(
      "Publishers.TryRemoveDuplicates",
      publishes(Publishers.TryRemoveDuplicates<P>.self, P.Output.self, (any Error).self))
    Use("Publishers.IgnoreOutput", publishes(Publishers.IgnoreOutput<P>.self, Never.self, P.Failure.self))
    Use("Publishers.ReplaceEmpty", publishes(Publishers.ReplaceEmpty<P>.self, P.Output.self, P.Failure.self))
    Use(
      "Publishers.PrefixUntilOutput",
      publishes(Publishers.PrefixUntilOutput<P, Q>.self, P.Output.self, P.Failure.self))
  }

  static var members: [Use] {
    Use("Publishers.Filter.upstream", \.upstream as KeyPath<Publishers.Filter<P>, P>)
    Use("Publishers.Filter.isIncluded", \.isIncluded as KeyPath<Publishers.Filter<P>, (P.Output) -> Bool>)
    Use(
      "Publishers.Filter.init(upstream:isIncluded:)",
      Publishers.Filter<P>.init(upstream:isIncluded:)
        as (P, @escaping (P.Output) -> Bool) -> Publishers.Filter<P>)
    Use("Publishers.TryFilter.Failure", Publishers.TryFilter<P>.Failure.self as (any Error).Type)
    Use("Publishers.TryFilter.upstream", \.upstream as KeyPath<Publishers.TryFilter<P>, P>)
    Use(
      "Publishers.TryFilter.isIncluded",
      \.isIncluded as KeyPath<Publishers.TryFilter<P>, (P.Output) throws -> Bool>)
    Use(
      "Publishers.TryFilter.init(upstream:isIncluded:)",
      Publishers.TryFilter<P>.init(upstream:isIncluded:)
        as (P, @escaping (P.Output) throws -> Bool) -> Publishers.TryFilter<P>)
    Use("Publishers.Drop.upstream", \.upstream as KeyPath<Publishers.Drop<P>, P>)
    Use("Publishers.Drop.count", \.count as KeyPath<Publishers.Drop<P>, Int>)
    Use(
      "Publishers.Drop.init(upstream:count:)",
      Publishers.Drop<P>.init(upstream:count:) as (P, Int) -> Publishers.Drop<P>)
    Use("Publishers.DropWhile.upstream", \.upstream as KeyPath<Publishers.DropWhile<P>, P>)
    Use("Publishers.DropWhile.predicate", \.predicate as KeyPath<Publishers.DropWhile<P>, (P.Output) -> Bool>)
    Use(
      "Publishers.DropWhile.init(upstream:predicate:)",
      Publishers.DropWhile<P>.init(upstream:predicate:)
        as (P, @escaping (P.Output) -> Bool) -> Publishers.DropWhile<P>)
    Use("Publishers.TryDropWhile.Failure", Publishers.TryDropWhile<P>.Failure.self as (any Error).Type)
    Use("Publishers.TryDropWhile.upstream", \.upstream as KeyPath<Publishers.TryDropWhile<P>, P>)
    Use(
      "Publishers.TryDropWhile.predicate",
      \.predicate as KeyPath<Publishers.TryDropWhile<P>, (P.Output) throws -> Bool>)
    Use(
      "Publishers.TryDropWhile.init(upstream:predicate:)",
      Publishers.TryDropWhile<P>.init(upstream:predicate:)
        as (P, @escaping (P.Output) throws -> Bool) -> Publishers.TryDropWhile<P>)
    Use("Publishers.PrefixWhile.upstream", \.upstream as KeyPath<Publishers.PrefixWhile<P>, P>)
    Use(
      "Publishers.PrefixWhile.predicate",
      \.predicate as KeyPath<Publishers.PrefixWhile<P>, (P.Output) -> Bool>)
    Use(
      "Publishers.PrefixWhile.init(upstream:predicate:)",
      Publishers.PrefixWhile<P>.init(upstream:predicate:)
        as (P, @escaping (P.Output) -> Bool) -> Publishers.PrefixWhile<P>)
    Use("Publishers.TryPrefixWhile.Failure", Publishers.TryPrefixWhile<P>.Failure.self as (any Error).Type)
    Use("Publishers.TryPrefixWhile.upstream", \.upstream as KeyPath<Publishers.TryPrefixWhile<P>, P>)
    Use(
      "Publishers.TryPrefixWhile.predicate",
      \.predicate as KeyPath<Publishers.TryPrefixWhile<P>, (P.Output) throws -> Bool>)
    Use(
      "Publishers.TryPrefixWhile.init(upstream:predicate:)",
      Publishers.TryPrefixWhile<P>.init(upstream:predicate:)
        as (P, @escaping (P.Output) throws -> Bool) -> Publishers.TryPrefixWhile<P>)
    Use("Publishers.Output.upstream", \.upstream as KeyPath<Publishers.Output<P>, P>)
    Use("Publishers.Output.range", \.range as KeyPath<Publishers.Output<P>, CountableRange<Int>>)
    Use(
      "Publishers.Output.init(upstream:range:)",
      Publishers.Output<P>.init(upstream:range:) as (P, CountableRange<Int>) -> Publishers.Output<P>)
    Use("Publishers.RemoveDuplicates.upstream", \.upstream as KeyPath<Publishers.RemoveDuplicates<P>, P>)
    Use(
      "Publishers.RemoveDuplicates.predicate",
      \.predicate as KeyPath<Publishers.RemoveDuplicates<P>, (P.Output, P.Output) -> Bool>)
    Use(
      "Publishers.RemoveDuplicates.init(upstream:predicate:)",
      Publishers.RemoveDuplicates<P>.init(upstream:predicate:)
        as (P, @escaping (P.Output, P.Output) -> Bool) -> Publishers.RemoveDuplicates<P>)
    Use(
      "Publishers.TryRemoveDuplicates.Failure",
      Publishers.TryRemoveDuplicates<P>.Failure.self as (any Error).Type)
    Use(
      "Publishers.TryRemoveDuplicates.upstream", \.upstream as KeyPath<Publishers.TryRemoveDuplicates<P>, P>)
    Use(
      "Publishers.TryRemoveDuplicates.predicate",
      \.predicate as KeyPath<Publishers.TryRemoveDuplicates<P>, (P.Output, P.Output) throws -> Bool>)
    Use(
      "Publishers.TryRemoveDuplicates.init(upstream:predicate:)",
      Publishers.TryRemoveDuplicates<P>.init(upstream:predicate:)
        as (P, @escaping (P.Output, P.Output) throws -> Bool) -> Publishers.TryRemoveDuplicates<P>)
    Use("Publishers.IgnoreOutput.Output", Publishers.IgnoreOutput<P>.Output.self as Never.Type)
    Use("Publishers.IgnoreOutput.upstream", \.upstream as KeyPath<Publishers.IgnoreOutput<P>, P>)
    Use(
      "Publishers.IgnoreOutput.init(upstream:)",
      Publishers.IgnoreOutput<P>.init(upstream:) as (P) -> Publishers.IgnoreOutput<P>)
    Use("Publishers.ReplaceEmpty.output", \.output as KeyPath<Publishers.ReplaceEmpty<P>, P.Output>)
    Use("Publishers.ReplaceEmpty.upstream", \.upstream as KeyPath<Publishers.ReplaceEmpty<P>, P>)
    Use(
      "Publishers.ReplaceEmpty.init(upstream:output:)",
      Publishers.ReplaceEmpty<P>.init(upstream:output:) as (P, P.Output) -> Publishers.ReplaceEmpty<P>)
    Use("Publishers.PrefixUntilOutput.upstream", \.upstream as KeyPath<Publishers.PrefixUntilOutput<P, Q>, P>)
    Use("Publishers.PrefixUntilOutput.other", \.other as KeyPath<Publishers.PrefixUntilOutput<P, Q>, Q>)
    Use(
      "Publishers.PrefixUntilOutput.init(upstream:other:)",
      Publishers.PrefixUntilOutput<P, Q>.init(upstream:other:) as (P, Q) -> Publishers.PrefixUntilOutput<P, Q>
    )
    Use(
      "Publishers.Filter.filter(_:)",
      Publishers.Filter<P>.filter(_:)
        as (Publishers.Filter<P>) -> (@escaping (P.Output) -> Bool) -> Publishers.Filter<P>)
    Use(
      "Publishers.Filter.tryFilter(_:)",
      Publishers.Filter<P>.tryFilter(_:)
        as (Publishers.Filter<P>) -> (@escaping (P.Output) throws -> Bool) -> Publishers.TryFilter<P>)
    Use(
      "Publishers.TryFilter.filter(_:)",
      Publishers.TryFilter<P>.filter(_:)
        as (Publishers.TryFilter<P>) -> (@escaping (P.Output) -> Bool) -> Publishers.TryFilter<P>)
    Use(
      "Publishers.TryFilter.tryFilter(_:)",
      Publishers.TryFilter<P>.tryFilter(_:)
        as (Publishers.TryFilter<P>) -> (@escaping (P.Output) throws -> Bool) -> Publishers.TryFilter<P>)
  }
}

enum DroppingUntilUses<P: Publisher & SendableMetatype, Q: Publisher & SendableMetatype>: Family
where P.Failure == Q.Failure {
  static var operators: [Use] {
    Use("drop(untilOutputFrom:)", P.drop(untilOutputFrom:) as (P) -> (Q) -> Publishers.DropUntilOutput<P, Q>)
  }

  static var types: [Use] {
    Use(
      "Publishers.DropUntilOutput",
      publishes(Publishers.DropUntilOutput<P, Q>.self, P.Output.self, P.Failure.self))
  }

  static var members: [Use] {
    Use("Publishers.DropUntilOutput.upstream", \.upstream as KeyPath<Publishers.DropUntilOutput<P, Q>, P>)
    Use("Publishers.DropUntilOutput.other", \.other as KeyPath<Publishers.DropUntilOutput<P, Q>, Q>)
    Use(
      "Publishers.DropUntilOutput.init(upstream:other:)",
      Publishers.DropUntilOutput<P, Q>.init(upstream:other:) as (P, Q) -> Publishers.DropUntilOutput<P, Q>)
  }
}

enum EquatingUses<P: Publisher & SendableMetatype>: Family where P.Output: Equatable & SendableMetatype {
  static var operators: [Use] {
    Use("removeDuplicates()", P.removeDuplicates as (P) -> () -> Publishers.RemoveDuplicates<P>)
    Use("contains(_:)", P.contains(_:) as (P) -> (P.Output) -> Publishers.Contains<P>)
  }

  static var types: [Use] {
    Use("Publishers.Contains", publishes(Publishers.Contains<P>.self, Bool.self, P.Failure.self))
  }

  static var members: [Use] {
    Use("Publishers.Contains.Output", Publishers.Contains<P>.Output.self as Bool.Type)
    Use("Publishers.Contains.upstream", \.upstream as KeyPath<Publishers.Contains<P>, P>)
    Use("Publishers.Contains.output", \.output as KeyPath<Publishers.Contains<P>, P.Output>)
    Use(
      "Publishers.Contains.init(upstream:output:)",
      Publishers.Contains<P>.init(upstream:output:) as (P, P.Output) -> Publishers.Contains<P>)
  }
}
