import Streams

enum NeverFailingUses<P: Publisher & SendableMetatype, Q: Publisher & SendableMetatype, E: Error, Root>:
  Family
where P.Failure == Never {
  static var operators: [Use] {
    Use(
      "sink(receiveValue:)",
      P.sink(receiveValue:) as (P) -> (@escaping ((P.Output) -> Void)) -> AnyCancellable)
    Use("setFailureType(to:)", P.setFailureType(to:) as (P) -> (E.Type) -> Publishers.SetFailureType<P, E>)
    Use(
      "assign(to:)", { $0.assign(to: &$1) } as (P, inout Published<P.Output>.Publisher) -> Void)
    Use(
      "assign(to:on:)",
      { $0.assign(to: $1, on: $2) } as (P, ReferenceWritableKeyPath<Root, P.Output>, Root) -> AnyCancellable)
    Use("makeConnectable()", P.makeConnectable as (P) -> () -> Publishers.MakeConnectable<P>)
    Use(
      "flatMap(maxPublishers:_:) of a publisher that never fails",
      P.flatMap(maxPublishers:_:)
        as (P) -> (Subscribers.Demand, @escaping (P.Output) -> Q) ->
        Publishers.FlatMap<Q, Publishers.SetFailureType<P, Q.Failure>>,
      defaults: { (p: P, q: Q) in p.flatMap { _ in q } })
  }

  static var types: [Use] {
    Use("Publishers.SetFailureType", publishes(Publishers.SetFailureType<P, E>.self, P.Output.self, E.self))
    Use(
      "Publishers.MakeConnectable", publishes(Publishers.MakeConnectable<P>.self, P.Output.self, Never.self))
  }

  static var members: [Use] {
    Use("Publishers.SetFailureType.upstream", \.upstream as KeyPath<Publishers.SetFailureType<P, E>, P>)
    Use(
      "Publishers.SetFailureType.init(upstream:)",
      Publishers.SetFailureType<P, E>.init(upstream:) as (P) -> Publishers.SetFailureType<P, E>)
    Use(
      "Publishers.SetFailureType.setFailureType(to:)",
      Publishers.SetFailureType<P, E>.setFailureType(to:)
        as (Publishers.SetFailureType<P, E>) -> (E.Type) -> Publishers.SetFailureType<P, E>)
    Use(
      "Publishers.MakeConnectable.init(upstream:)",
      Publishers.MakeConnectable<P>.init(upstream:) as (P) -> Publishers.MakeConnectable<P>)
    Use(
      "Publishers.MakeConnectable.connect()",
      Publishers.MakeConnectable<P>.connect as (Publishers.MakeConnectable<P>) -> () -> any Cancellable)
  }
}

enum NeverFailingFlatteningUses<P: Publisher & SendableMetatype, Q: Publisher & SendableMetatype>: Family
where P.Failure == Never, Q.Failure == Never {
  static var operators: [Use] {
    Use(
      "flatMap(maxPublishers:_:) where nothing ever fails",
      P.flatMap(maxPublishers:_:)
        as (P) -> (Subscribers.Demand, @escaping (P.Output) -> Q) -> Publishers.FlatMap<Q, P>,
      defaults: { (p: P, q: Q) in p.flatMap { _ in q } })
  }
}
