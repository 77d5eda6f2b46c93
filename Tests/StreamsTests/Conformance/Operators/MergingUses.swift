import Streams

enum MergingUses<
  A: Publisher & SendableMetatype, B: Publisher & SendableMetatype, C: Publisher & SendableMetatype,
  D: Publisher & SendableMetatype, E: Publisher & SendableMetatype, F: Publisher & SendableMetatype,
  G: Publisher & SendableMetatype, H: Publisher & SendableMetatype
>: Family
where
  A.Failure == B.Failure, A.Output == B.Output, B.Failure == C.Failure, B.Output == C.Output,
  C.Failure == D.Failure, C.Output == D.Output, D.Failure == E.Failure, D.Output == E.Output,
  E.Failure == F.Failure, E.Output == F.Output, F.Failure == G.Failure, F.Output == G.Output,
  G.Failure == H.Failure, G.Output == H.Output
{
  static var operators: [Use] {
    Use("merge(with:)", A.merge(with:) as (A) -> (B) -> Publishers.Merge<A, B>)
    Use("merge(with:_:)", A.merge(with:_:) as (A) -> (B, C) -> Publishers.Merge3<A, B, C>)
    Use("merge(with:_:_:)", A.merge(with:_:_:) as (A) -> (B, C, D) -> Publishers.Merge4<A, B, C, D>)
    Use("merge(with:_:_:_:)", A.merge(with:_:_:_:) as (A) -> (B, C, D, E) -> Publishers.Merge5<A, B, C, D, E>)
    Use(
      "merge(with:_:_:_:_:)",
      A.merge(with:_:_:_:_:) as (A) -> (B, C, D, E, F) -> Publishers.Merge6<A, B, C, D, E, F>)
    Use(
      "merge(with:_:_:_:_:_:)",
      A.merge(with:_:_:_:_:_:) as (A) -> (B, C, D, E, F, G) -> Publishers.Merge7<A, B, C, D, E, F, G>)
    Use(
      "merge(with:_:_:_:_:_:_:)",
      A.merge(with:_:_:_:_:_:_:) as (A) -> (B, C, D, E, F, G, H) -> Publishers.Merge8<A, B, C, D, E, F, G, H>)
  }

  static var types: [Use] {
    Use("Publishers.Merge", publishes(Publishers.Merge<A, B>.self, (A.Output).self, (A.Failure).self))
    Use("Publishers.Merge3", publishes(Publishers.Merge3<A, B, C>.self, (A.Output).self, (A.Failure).self))
    Use("Publishers.Merge4", publishes(Publishers.Merge4<A, B, C, D>.self, (A.Output).self, (A.Failure).self))
    Use(
      "Publishers.Merge5", publishes(Publishers.Merge5<A, B, C, D, E>.self, (A.Output).self, (A.Failure).self)
    )
    Use(
      "Publishers.Merge6",
      publishes(Publishers.Merge6<A, B, C, D, E, F>.self, (A.Output).self, (A.Failure).self))
    Use(
      "Publishers.Merge7",
      publishes(Publishers.Merge7<A, B, C, D, E, F, G>.self, (A.Output).self, (A.Failure).self))
    Use(
      "Publishers.Merge8",
      publishes(Publishers.Merge8<A, B, C, D, E, F, G, H>.self, (A.Output).self, (A.Failure).self))
  }

  static var members: [Use] {
    Use("Publishers.Merge.a", \.a as KeyPath<Publishers.Merge<A, B>, A>)
    Use("Publishers.Merge.b", \.b as KeyPath<Publishers.Merge<A, B>, B>)
    Use("Publishers.Merge.init(_:_:)", Publishers.Merge<A, B>.init(_:_:) as (A, B) -> Publishers.Merge<A, B>)
    Use("Publishers.Merge3.a", \.a as KeyPath<Publishers.Merge3<A, B, C>, A>)
    Use("Publishers.Merge3.b", \.b as KeyPath<Publishers.Merge3<A, B, C>, B>)
    Use("Publishers.Merge3.c", \.c as KeyPath<Publishers.Merge3<A, B, C>, C>)
    Use(
      "Publishers.Merge3.init(_:_:_:)",
      Publishers.Merge3<A, B, C>.init(_:_:_:) as (A, B, C) -> Publishers.Merge3<A, B, C>)
    Use("Publishers.Merge4.a", \.a as KeyPath<Publishers.Merge4<A, B, C, D>, A>)
    Use("Publishers.Merge4.b", \.b as KeyPath<Publishers.Merge4<A, B, C, D>, B>)
    Use("Publishers.Merge4.c", \.c as KeyPath<Publishers.Merge4<A, B, C, D>, C>)
    Use("Publishers.Merge4.d", \.d as KeyPath<Publishers.Merge4<A, B, C, D>, D>)
    Use(
      "Publishers.Merge4.init(_:_:_:_:)",
      Publishers.Merge4<A, B, C, D>.init(_:_:_:_:) as (A, B, C, D) -> Publishers.Merge4<A, B, C, D>)
    Use("Publishers.Merge5.a", \.a as KeyPath<Publishers.Merge5<A, B, C, D, E>, A>)
    Use("Publishers.Merge5.b", \.b as KeyPath<Publishers.Merge5<A, B, C, D, E>, B>)
    Use("Publishers.Merge5.c", \.c as KeyPath<Publishers.Merge5<A, B, C, D, E>, C>)
    Use("Publishers.Merge5.d", \.d as KeyPath<Publishers.Merge5<A, B, C, D, E>, D>)
    Use("Publishers.Merge5.e", \.e as KeyPath<Publishers.Merge5<A, B, C, D, E>, E>)
    Use(
      "Publishers.Merge5.init(_:_:_:_:_:)",
      Publishers.Merge5<A, B, C, D, E>.init(_:_:_:_:_:) as (A, B, C, D, E) -> Publishers.Merge5<A, B, C, D, E>
    )
    Use("Publishers.Merge6.a", \.a as KeyPath<Publishers.Merge6<A, B, C, D, E, F>, A>)
    Use("Publishers.Merge6.b", \.b as KeyPath<Publishers.Merge6<A, B, C, D, E, F>, B>)
    Use("Publishers.Merge6.c", \.c as KeyPath<Publishers.Merge6<A, B, C, D, E, F>, C>)
    Use("Publishers.Merge6.d", \.d as KeyPath<Publishers.Merge6<A, B, C, D, E, F>, D>)
    Use("Publishers.Merge6.e", \.e as KeyPath<Publishers.Merge6<A, B, C, D, E, F>, E>)
    Use("Publishers.Merge6.f", \.f as KeyPath<Publishers.Merge6<A, B, C, D, E, F>, F>)
    Use(
      "Publishers.Merge6.init(_:_:_:_:_:_:)",
      Publishers.Merge6<A, B, C, D, E, F>.init(_:_:_:_:_:_:)
        as (A, B, C, D, E, F) -> Publishers.Merge6<A, B, C, D, E, F>)
    Use("Publishers.Merge7.a", \.a as KeyPath<Publishers.Merge7<A, B, C, D, E, F, G>, A>)
    Use("Publishers.Merge7.b", \.b as KeyPath<Publishers.Merge7<A, B, C, D, E, F, G>, B>)
    Use("Publishers.Merge7.c", \.c as KeyPath<Publishers.Merge7<A, B, C, D, E, F, G>, C>)
    Use("Publishers.Merge7.d", \.d as KeyPath<Publishers.Merge7<A, B, C, D, E, F, G>, D>)
    Use("Publishers.Merge7.e", \.e as KeyPath<Publishers.Merge7<A, B, C, D, E, F, G>, E>)
    Use("Publishers.Merge7.f", \.f as KeyPath<Publishers.Merge7<A, B, C, D, E, F, G>, F>)
    Use("Publishers.Merge7.g", \.g as KeyPath<Publishers.Merge7<A, B, C, D, E, F, G>, G>)
    Use(
      "Publishers.Merge7.init(_:_:_:_:_:_:_:)",
      Publishers.Merge7<A, B, C, D, E, F, G>.init(_:_:_:_:_:_:_:)
        as (A, B, C, D, E, F, G) -> Publishers.Merge7<A, B, C, D, E, F, G>)
    Use("Publishers.Merge8.a", \.a as KeyPath<Publishers.Merge8<A, B, C, D, E, F, G, H>, A>)
    Use("Publishers.Merge8.b", \.b as KeyPath<Publishers.Merge8<A, B, C, D, E, F, G, H>, B>)
    Use("Publishers.Merge8.c", \.c as KeyPath<Publishers.Merge8<A, B, C, D, E, F, G, H>, C>)
    Use("Publishers.Merge8.d", \.d as KeyPath<Publishers.Merge8<A, B, C, D, E, F, G, H>, D>)
    Use("Publishers.Merge8.e", \.e as KeyPath<Publishers.Merge8<A, B, C, D, E, F, G, H>, E>)
    Use("Publishers.Merge8.f", \.f as KeyPath<Publishers.Merge8<A, B, C, D, E, F, G, H>, F>)
    Use("Publishers.Merge8.g", \.g as KeyPath<Publishers.Merge8<A, B, C, D, E, F, G, H>, G>)
    Use("Publishers.Merge8.h", \.h as KeyPath<Publishers.Merge8<A, B, C, D, E, F, G, H>, H>)
    Use(
      "Publishers.Merge8.init(_:_:_:_:_:_:_:_:)",
      Publishers.Merge8<A, B, C, D, E, F, G, H>.init(_:_:_:_:_:_:_:_:)
        as (A, B, C, D, E, F, G, H) -> Publishers.Merge8<A, B, C, D, E, F, G, H>)
    Use(
      "Publishers.Merge.merge(with:)",
      Publishers.Merge<A, B>.merge(with:) as (Publishers.Merge<A, B>) -> (C) -> Publishers.Merge3<A, B, C>)
    Use(
      "Publishers.Merge.merge(with:_:)",
      Publishers.Merge<A, B>.merge(with:_:)
        as (Publishers.Merge<A, B>) -> (C, D) -> Publishers.Merge4<A, B, C, D>)
    Use(
      "Publishers.Merge.merge(with:_:_:)",
      Publishers.Merge<A, B>.merge(with:_:_:)
        as (Publishers.Merge<A, B>) -> (C, D, E) -> Publishers.Merge5<A, B, C, D, E>)
    Use(
      "Publishers.Merge.merge(with:_:_:_:)",
      Publishers.Merge<A, B>.merge(with:_:_:_:)
        as (Publishers.Merge<A, B>) -> (C, D, E, F) -> Publishers.Merge6<A, B, C, D, E, F>)
    Use(
      "Publishers.Merge.merge(with:_:_:_:_:)",
      Publishers.Merge<A, B>.merge(with:_:_:_:_:)
        as (Publishers.Merge<A, B>) -> (C, D, E, F, G) -> Publishers.Merge7<A, B, C, D, E, F, G>)
    Use(
      "Publishers.Merge.merge(with:_:_:_:_:_:)",
      Publishers.Merge<A, B>.merge(with:_:_:_:_:_:)
        as (Publishers.Merge<A, B>) -> (C, D, E, F, G, H) -> Publishers.Merge8<A, B, C, D, E, F, G, H>)
    Use(
      "Publishers.Merge3.merge(with:)",
      Publishers.Merge3<A, B, C>.merge(with:)
        as (Publishers.Merge3<A, B, C>) -> (D) -> Publishers.Merge4<A, B, C, D>)
    Use(
      "Publishers.Merge3.merge(with:_:)",
      Publishers.Merge3<A, B, C>.merge(with:_:)
        as (Publishers.Merge3<A, B, C>) -> (D, E) -> Publishers.Merge5<A, B, C, D, E>)
    Use(
      "Publishers.Merge3.merge(with:_:_:)",
      Publishers.Merge3<A, B, C>.merge(with:_:_:)
        as (Publishers.Merge3<A, B, C>) -> (D, E, F) -> Publishers.Merge6<A, B, C, D, E, F>)
    Use(
      "Publishers.Merge3.merge(with:_:_:_:)",
      Publishers.Merge3<A, B, C>.merge(with:_:_:_:)
        as (Publishers.Merge3<A, B, C>) -> (D, E, F, G) -> Publishers.Merge7<A, B, C, D, E, F, G>)
    Use(
      "Publishers.Merge3.merge(with:_:_:_:_:)",
      Publishers.Merge3<A, B, C>.merge(with:_:_:_:_:)
        as (Publishers.Merge3<A, B, C>) -> (D, E, F, G, H) -> Publishers.Merge8<A, B, C, D, E, F, G, H>)
    Use(
      "Publishers.Merge4.merge(with:)",
      Publishers.Merge4<A, B, C, D>.merge(with:)
        as (Publishers.Merge4<A, B, C, D>) -> (E) -> Publishers.Merge5<A, B, C, D, E>)
    Use(
      "Publishers.Merge4.merge(with:_:)",
      Publishers.Merge4<A, B, C, D>.merge(with:_:)
        as (Publishers.Merge4<A, B, C, D>) -> (E, F) -> Publishers.Merge6<A, B, C, D, E, F>)
    Use(
      "Publishers.Merge4.merge(with:_:_:)",
      Publishers.Merge4<A, B, C, D>.merge(with:_:_:)
        as (Publishers.Merge4<A, B, C, D>) -> (E, F, G) -> Publishers.Merge7<A, B, C, D, E, F, G>)
    Use(
      "Publishers.Merge4.merge(with:_:_:_:)",
      Publishers.Merge4<A, B, C, D>.merge(with:_:_:_:)
        as (Publishers.Merge4<A, B, C, D>) -> (E, F, G, H) -> Publishers.Merge8<A, B, C, D, E, F, G, H>)
    Use(
      "Publishers.Merge5.merge(with:)",
      Publishers.Merge5<A, B, C, D, E>.merge(with:)
        as (Publishers.Merge5<A, B, C, D, E>) -> (F) -> Publishers.Merge6<A, B, C, D, E, F>)
    Use(
      "Publishers.Merge5.merge(with:_:)",
      Publishers.Merge5<A, B, C, D, E>.merge(with:_:)
        as (Publishers.Merge5<A, B, C, D, E>) -> (F, G) -> Publishers.Merge7<A, B, C, D, E, F, G>)
    Use(
      "Publishers.Merge5.merge(with:_:_:)",
      Publishers.Merge5<A, B, C, D, E>.merge(with:_:_:)
        as (Publishers.Merge5<A, B, C, D, E>) -> (F, G, H) -> Publishers.Merge8<A, B, C, D, E, F, G, H>)
    Use(
      "Publishers.Merge6.merge(with:)",
      Publishers.Merge6<A, B, C, D, E, F>.merge(with:)
        as (Publishers.Merge6<A, B, C, D, E, F>) -> (G) -> Publishers.Merge7<A, B, C, D, E, F, G>)
    Use(
      "Publishers.Merge6.merge(with:_:)",
      Publishers.Merge6<A, B, C, D, E, F>.merge(with:_:)
        as (Publishers.Merge6<A, B, C, D, E, F>) -> (G, H) -> Publishers.Merge8<A, B, C, D, E, F, G, H>)
    Use(
      "Publishers.Merge7.merge(with:)",
      Publishers.Merge7<A, B, C, D, E, F, G>.merge(with:)
        as (Publishers.Merge7<A, B, C, D, E, F, G>) -> (H) -> Publishers.Merge8<A, B, C, D, E, F, G, H>)
  }
}

enum MergingManyUses<P: Publisher & SendableMetatype, Many: Sequence & SendableMetatype>: Family
where Many.Element == P {
  static var operators: [Use] {
    Use("merge(with:) of its own type", P.merge(with:) as (P) -> (P) -> Publishers.MergeMany<P>)
  }

  static var types: [Use] {
    Use("Publishers.MergeMany", publishes(Publishers.MergeMany<P>.self, P.Output.self, P.Failure.self))
  }

  static var members: [Use] {
    Use("Publishers.MergeMany.publishers", \.publishers as KeyPath<Publishers.MergeMany<P>, [P]>)
    Use(
      "Publishers.MergeMany.init(_:) of publishers",
      Publishers.MergeMany<P>.init(_:) as (P...) -> Publishers.MergeMany<P>)
    Use(
      "Publishers.MergeMany.init(_:) of a sequence",
      Publishers.MergeMany<P>.init(_:) as (Many) -> Publishers.MergeMany<P>)
    Use(
      "Publishers.MergeMany.merge(with:)",
      Publishers.MergeMany<P>.merge(with:) as (Publishers.MergeMany<P>) -> (P) -> Publishers.MergeMany<P>)
  }
}
