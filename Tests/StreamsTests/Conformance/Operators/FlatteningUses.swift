import Streams

enum FlatteningUses<P: Publisher & SendableMetatype, Q: Publisher & SendableMetatype>: Family
where P.Failure == Q.Failure {
  static var operators: [Use] {
    Use(
      "flatMap(maxPublishers:_:)",
      P.flatMap(maxPublishers:_:)
        as (P) -> (Subscribers.Demand, @escaping (P.Output) -> Q) -> Publishers.FlatMap<Q, P>,
      defaults: { (p: P, q: Q) in p.flatMap { _ in q } })
  }

  static var types: [Use] {
    Use("Publishers.FlatMap", publishes(Publishers.FlatMap<Q, P>.self, (Q.Output).self, P.Failure.self))
  }

  static var members: [Use] {
    Use("Publishers.FlatMap.upstream", \.upstream as KeyPath<Publishers.FlatMap<Q, P>, P>)
    Use(
      "Publishers.FlatMap.maxPublishers",
      \.maxPublishers as KeyPath<Publishers.FlatMap<Q, P>, Subscribers.Demand>)
    Use("Publishers.FlatMap.transform", \.transform as KeyPath<Publishers.FlatMap<Q, P>, (P.Output) -> Q>)
    Use(
      "Publishers.FlatMap.init(upstream:maxPublishers:transform:)",
      Publishers.FlatMap<Q, P>.init(upstream:maxPublishers:transform:)
        as (P, Subscribers.Demand, @escaping (P.Output) -> Q) -> Publishers.FlatMap<Q, P>)
  }
}

enum FlatteningNeverFailingUses<P: Publisher & SendableMetatype, Q: Publisher & SendableMetatype>: Family
where Q.Failure == Never {
  static var operators: [Use] {
    Use(
      "flatMap(maxPublishers:_:) to publishers that never fail",
      P.flatMap(maxPublishers:_:)
        as (P) -> (Subscribers.Demand, @escaping (P.Output) -> Q) ->
        Publishers.FlatMap<Publishers.SetFailureType<Q, P.Failure>, P>,
      defaults: { (p: P, q: Q) in p.flatMap { _ in q } })
  }
}

enum SwitchingSameFailureUses<P: Publisher & SendableMetatype>: Family
where P.Output: Publisher & SendableMetatype, P.Failure == P.Output.Failure {
  static var operators: [Use] {
    Use(
      "switchToLatest() where both may fail",
      P.switchToLatest as (P) -> () -> Publishers.SwitchToLatest<P.Output, P>)
  }

  static var types: [Use] {
    Use(
      "Publishers.SwitchToLatest",
      publishes(Publishers.SwitchToLatest<P.Output, P>.self, (P.Output.Output).self, P.Failure.self))
  }

  static var members: [Use] {
    Use(
      "Publishers.SwitchToLatest.upstream", \.upstream as KeyPath<Publishers.SwitchToLatest<P.Output, P>, P>)
    Use(
      "Publishers.SwitchToLatest.init(upstream:)",
      Publishers.SwitchToLatest<P.Output, P>.init(upstream:) as (P) -> Publishers.SwitchToLatest<P.Output, P>)
  }
}

enum SwitchingFromNeverUses<P: Publisher & SendableMetatype>: Family
where P.Output: Publisher & SendableMetatype, P.Failure == Never {
  static var operators: [Use] {
    Use(
      "switchToLatest() of a publisher that never fails",
      P.switchToLatest
        as (P) -> () -> Publishers.SwitchToLatest<P.Output, Publishers.SetFailureType<P, P.Output.Failure>>)
  }
}

enum SwitchingAllNeverUses<P: Publisher & SendableMetatype>: Family
where P.Output: Publisher & SendableMetatype, P.Failure == Never, P.Output.Failure == Never {
  static var operators: [Use] {
    Use(
      "switchToLatest() where nothing ever fails",
      P.switchToLatest as (P) -> () -> Publishers.SwitchToLatest<P.Output, P>)
  }
}

enum SwitchingToNeverUses<P: Publisher & SendableMetatype>: Family
where P.Output: Publisher & SendableMetatype, P.Output.Failure == Never {
  static var operators: [Use] {
    Use(
      "switchToLatest() to publishers that never fail",
      P.switchToLatest
        as (P) -> () ->
        Publishers.SwitchToLatest<
          Publishers.SetFailureType<P.Output, P.Failure>,
          Publishers.Map<P, Publishers.SetFailureType<P.Output, P.Failure>>
        >)
  }
}
