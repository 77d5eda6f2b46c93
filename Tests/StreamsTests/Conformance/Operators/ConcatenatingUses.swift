import Streams

enum ConcatenatingUses<
  P: Publisher & SendableMetatype, Q: Publisher & SendableMetatype, Elements: Sequence & SendableMetatype
>: Family where P.Output == Q.Output, P.Failure == Q.Failure, Elements.Element == P.Output {
  static var operators: [Use] {
    Use(
      "prepend(_:) of elements",
      P.prepend(_:)
        as (P) -> (P.Output...) -> Publishers.Concatenate<Publishers.Sequence<[P.Output], P.Failure>, P>)
    Use(
      "prepend(_:) of a sequence",
      P.prepend(_:)
        as (P) -> (Elements) -> Publishers.Concatenate<Publishers.Sequence<Elements, P.Failure>, P>)
    Use("prepend(_:) of a publisher", P.prepend(_:) as (P) -> (Q) -> Publishers.Concatenate<Q, P>)
    Use(
      "append(_:) of elements",
      P.append(_:)
        as (P) -> (P.Output...) -> Publishers.Concatenate<P, Publishers.Sequence<[P.Output], P.Failure>>)
    Use(
      "append(_:) of a sequence",
      P.append(_:) as (P) -> (Elements) -> Publishers.Concatenate<P, Publishers.Sequence<Elements, P.Failure>>
    )
    Use("append(_:) of a publisher", P.append(_:) as (P) -> (Q) -> Publishers.Concatenate<P, Q>)
  }

  static var types: [Use] {
    Use("Publishers.Concatenate", publishes(Publishers.Concatenate<P, Q>.self, P.Output.self, P.Failure.self))
  }

  static var members: [Use] {
    Use("Publishers.Concatenate.prefix", \.prefix as KeyPath<Publishers.Concatenate<P, Q>, P>)
    Use("Publishers.Concatenate.suffix", \.suffix as KeyPath<Publishers.Concatenate<P, Q>, Q>)
    Use(
      "Publishers.Concatenate.init(prefix:suffix:)",
      Publishers.Concatenate<P, Q>.init(prefix:suffix:) as (P, Q) -> Publishers.Concatenate<P, Q>)
  }
}
