import Streams

enum ZippingUses<
  A: Publisher & SendableMetatype, B: Publisher & SendableMetatype, C: Publisher & SendableMetatype,
  D: Publisher & SendableMetatype, T
>: Family where A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure {
  static var operators: [Use] {
    Use("zip(_:)", A.zip(_:) as (A) -> (B) -> Publishers.Zip<A, B>)
    Use(
      "zip(_:_:) by a closure",
      A.zip(_:_:)
        as (A) -> (B, @escaping (A.Output, B.Output) -> T) -> Publishers.Map<Publishers.Zip<A, B>, T>)
    Use("zip(_:_:)", A.zip(_:_:) as (A) -> (B, C) -> Publishers.Zip3<A, B, C>)
    Use(
      "zip(_:_:_:) by a closure",
      A.zip(_:_:_:)
        as (A) -> (B, C, @escaping (A.Output, B.Output, C.Output) -> T) ->
        Publishers.Map<Publishers.Zip3<A, B, C>, T>)
    Use("zip(_:_:_:)", A.zip(_:_:_:) as (A) -> (B, C, D) -> Publishers.Zip4<A, B, C, D>)
    Use(
      "zip(_:_:_:_:) by a closure",
      A.zip(_:_:_:_:)
        as (A) -> (B, C, D, @escaping (A.Output, B.Output, C.Output, D.Output) -> T) ->
        Publishers.Map<Publishers.Zip4<A, B, C, D>, T>)
  }

  static var types: [Use] {
    Use("Publishers.Zip", publishes(Publishers.Zip<A, B>.self, ((A.Output, B.Output)).self, (A.Failure).self))
    Use(
      "Publishers.Zip3",
      publishes(Publishers.Zip3<A, B, C>.self, ((A.Output, B.Output, C.Output)).self, (A.Failure).self))
    Use(
      "Publishers.Zip4",
      publishes(
        Publishers.Zip4<A, B, C, D>.self, ((A.Output, B.Output, C.Output, D.Output)).self, (A.Failure).self))
  }

  static var members: [Use] {
    Use("Publishers.Zip.Output", Publishers.Zip<A, B>.Output.self as ((A.Output, B.Output)).Type)
    Use("Publishers.Zip.a", \.a as KeyPath<Publishers.Zip<A, B>, A>)
    Use("Publishers.Zip.b", \.b as KeyPath<Publishers.Zip<A, B>, B>)
    Use("Publishers.Zip.init(_:_:)", Publishers.Zip<A, B>.init(_:_:) as (A, B) -> Publishers.Zip<A, B>)
    Use(
      "Publishers.Zip3.Output", Publishers.Zip3<A, B, C>.Output.self as ((A.Output, B.Output, C.Output)).Type)
    Use("Publishers.Zip3.a", \.a as KeyPath<Publishers.Zip3<A, B, C>, A>)
    Use("Publishers.Zip3.b", \.b as KeyPath<Publishers.Zip3<A, B, C>, B>)
    Use("Publishers.Zip3.c", \.c as KeyPath<Publishers.Zip3<A, B, C>, C>)
    Use(
      "Publishers.Zip3.init(_:_:_:)",
      Publishers.Zip3<A, B, C>.init(_:_:_:) as (A, B, C) -> Publishers.Zip3<A, B, C>)
    Use(
      "Publishers.Zip4.Output",
      Publishers.Zip4<A, B, C, D>.Output.self as ((A.Output, B.Output, C.Output, D.Output)).Type)
    Use("Publishers.Zip4.a", \.a as KeyPath<Publishers.Zip4<A, B, C, D>, A>)
    Use("Publishers.Zip4.b", \.b as KeyPath<Publishers.Zip4<A, B, C, D>, B>)
    Use("Publishers.Zip4.c", \.c as KeyPath<Publishers.Zip4<A, B, C, D>, C>)
    Use("Publishers.Zip4.d", \.d as KeyPath<Publishers.Zip4<A, B, C, D>, D>)
    Use(
      "Publishers.Zip4.init(_:_:_:_:)",
      Publishers.Zip4<A, B, C, D>.init(_:_:_:_:) as (A, B, C, D) -> Publishers.Zip4<A, B, C, D>)
  }
}

enum CombiningLatestUses<
  A: Publisher & SendableMetatype, B: Publisher & SendableMetatype, C: Publisher & SendableMetatype,
  D: Publisher & SendableMetatype, T
>: Family where A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure {
  static var operators: [Use] {
    Use("combineLatest(_:)", A.combineLatest(_:) as (A) -> (B) -> Publishers.CombineLatest<A, B>)
    Use(
      "combineLatest(_:_:) by a closure",
      A.combineLatest(_:_:)
        as (A) -> (B, @escaping (A.Output, B.Output) -> T) ->
        Publishers.Map<Publishers.CombineLatest<A, B>, T>)
    Use("combineLatest(_:_:)", A.combineLatest(_:_:) as (A) -> (B, C) -> Publishers.CombineLatest3<A, B, C>)
    Use(
      "combineLatest(_:_:_:) by a closure",
      A.combineLatest(_:_:_:)
        as (A) -> (B, C, @escaping (A.Output, B.Output, C.Output) -> T) ->
        Publishers.Map<Publishers.CombineLatest3<A, B, C>, T>)
    Use(
      "combineLatest(_:_:_:)",
      A.combineLatest(_:_:_:) as (A) -> (B, C, D) -> Publishers.CombineLatest4<A, B, C, D>)
    Use(
      "combineLatest(_:_:_:_:) by a closure",
      A.combineLatest(_:_:_:_:)
        as (A) -> (B, C, D, @escaping (A.Output, B.Output, C.Output, D.Output) -> T) ->
        Publishers.Map<Publishers.CombineLatest4<A, B, C, D>, T>)
  }

  static var types: [Use] {
    Use(
      "Publishers.CombineLatest",
      publishes(Publishers.CombineLatest<A, B>.self, ((A.Output, B.Output)).self, (A.Failure).self))
    Use(
      "Publishers.CombineLatest3",
      publishes(
        Publishers.CombineLatest3<A, B, C>.self, ((A.Output, B.Output, C.Output)).self, (A.Failure).self))
    Use(
      "Publishers.CombineLatest4",
      publishes(
        Publishers.CombineLatest4<A, B, C, D>.self, ((A.Output, B.Output, C.Output, D.Output)).self,
        (A.Failure).self))
  }

  static var members: [Use] {
    Use(
      "Publishers.CombineLatest.Output",
      Publishers.CombineLatest<A, B>.Output.self as ((A.Output, B.Output)).Type)
    Use("Publishers.CombineLatest.a", \.a as KeyPath<Publishers.CombineLatest<A, B>, A>)
    Use("Publishers.CombineLatest.b", \.b as KeyPath<Publishers.CombineLatest<A, B>, B>)
    Use(
      "Publishers.CombineLatest.init(_:_:)",
      Publishers.CombineLatest<A, B>.init(_:_:) as (A, B) -> Publishers.CombineLatest<A, B>)
    Use(
      "Publishers.CombineLatest3.Output",
      Publishers.CombineLatest3<A, B, C>.Output.self as ((A.Output, B.Output, C.Output)).Type)
    Use("Publishers.CombineLatest3.a", \.a as KeyPath<Publishers.CombineLatest3<A, B, C>, A>)
    Use("Publishers.CombineLatest3.b", \.b as KeyPath<Publishers.CombineLatest3<A, B, C>, B>)
    Use("Publishers.CombineLatest3.c", \.c as KeyPath<Publishers.CombineLatest3<A, B, C>, C>)
    Use(
      "Publishers.CombineLatest3.init(_:_:_:)",
      Publishers.CombineLatest3<A, B, C>.init(_:_:_:) as (A, B, C) -> Publishers.CombineLatest3<A, B, C>)
    Use(
      "Publishers.CombineLatest4.Output",
      Publishers.CombineLatest4<A, B, C, D>.Output.self as ((A.Output, B.Output, C.Output, D.Output)).Type)
    Use("Publishers.CombineLatest4.a", \.a as KeyPath<Publishers.CombineLatest4<A, B, C, D>, A>)
    Use("Publishers.CombineLatest4.b", \.b as KeyPath<Publishers.CombineLatest4<A, B, C, D>, B>)
    Use("Publishers.CombineLatest4.c", \.c as KeyPath<Publishers.CombineLatest4<A, B, C, D>, C>)
    Use("Publishers.CombineLatest4.d", \.d as KeyPath<Publishers.CombineLatest4<A, B, C, D>, D>)
    Use(
      "Publishers.CombineLatest4.init(_:_:_:_:)",
      Publishers.CombineLatest4<A, B, C, D>.init(_:_:_:_:)
        as (A, B, C, D) -> Publishers.CombineLatest4<A, B, C, D>)
  }
}
