import Streams

enum MappingUses<P: Publisher & SendableMetatype, T, U, V, E: Error>: Family {
  static var operators: [Use] {
    Use("map(_:) by a key path", P.map(_:) as (P) -> (KeyPath<P.Output, T>) -> Publishers.MapKeyPath<P, T>)
    Use(
      "map(_:_:)",
      P.map(_:_:) as (P) -> (KeyPath<P.Output, T>, KeyPath<P.Output, U>) -> Publishers.MapKeyPath2<P, T, U>)
    Use(
      "map(_:_:_:)",
      P.map(_:_:_:)
        as (P) -> (KeyPath<P.Output, T>, KeyPath<P.Output, U>, KeyPath<P.Output, V>) ->
        Publishers.MapKeyPath3<P, T, U, V>)
    Use("map(_:) by a closure", P.map(_:) as (P) -> (@escaping (P.Output) -> T) -> Publishers.Map<P, T>)
    Use("tryMap(_:)", P.tryMap(_:) as (P) -> (@escaping (P.Output) throws -> T) -> Publishers.TryMap<P, T>)
    Use(
      "compactMap(_:)", P.compactMap(_:) as (P) -> (@escaping (P.Output) -> T?) -> Publishers.CompactMap<P, T>
    )
    Use(
      "tryCompactMap(_:)",
      P.tryCompactMap(_:) as (P) -> (@escaping (P.Output) throws -> T?) -> Publishers.TryCompactMap<P, T>)
    Use("scan(_:_:)", P.scan(_:_:) as (P) -> (T, @escaping (T, P.Output) -> T) -> Publishers.Scan<P, T>)
    Use(
      "tryScan(_:_:)",
      P.tryScan(_:_:) as (P) -> (T, @escaping (T, P.Output) throws -> T) -> Publishers.TryScan<P, T>)
    Use("mapError(_:)", P.mapError(_:) as (P) -> (@escaping (P.Failure) -> E) -> Publishers.MapError<P, E>)
  }

  static var types: [Use] {
    Use("Publishers.Map", publishes(Publishers.Map<P, T>.self, T.self, P.Failure.self))
    Use("Publishers.TryMap", publishes(Publishers.TryMap<P, T>.self, T.self, (any Error).self))
    Use("Publishers.CompactMap", publishes(Publishers.CompactMap<P, T>.self, T.self, P.Failure.self))
    Use("Publishers.TryCompactMap", publishes(Publishers.TryCompactMap<P, T>.self, T.self, (any Error).self))
    Use("Publishers.Scan", publishes(Publishers.Scan<P, T>.self, T.self, P.Failure.self))
    Use("Publishers.TryScan", publishes(Publishers.TryScan<P, T>.self, T.self, (any Error).self))
    Use("Publishers.MapError", publishes(Publishers.MapError<P, E>.self, P.Output.self, E.self))
    Use("Publishers.MapKeyPath", publishes(Publishers.MapKeyPath<P, T>.self, T.self, P.Failure.self))
    Use(
      "Publishers.MapKeyPath2", publishes(Publishers.MapKeyPath2<P, T, U>.self, ((T, U)).self, P.Failure.self)
    )
    Use(
      "Publishers.MapKeyPath3",
      publishes(Publishers.MapKeyPath3<P, T, U, V>.self, ((T, U, V)).self, P.Failure.self))
  }

  static var members: [Use] {
    Use("Publishers.Map.upstream", \.upstream as KeyPath<Publishers.Map<P, T>, P>)
    Use("Publishers.Map.transform", \.transform as KeyPath<Publishers.Map<P, T>, (P.Output) -> T>)
    Use(
      "Publishers.Map.init(upstream:transform:)",
      Publishers.Map<P, T>.init(upstream:transform:) as (P, @escaping (P.Output) -> T) -> Publishers.Map<P, T>
    )
    Use("Publishers.TryMap.Failure", Publishers.TryMap<P, T>.Failure.self as (any Error).Type)
    Use("Publishers.TryMap.upstream", \.upstream as KeyPath<Publishers.TryMap<P, T>, P>)
    Use(
      "Publishers.TryMap.transform", \.transform as KeyPath<Publishers.TryMap<P, T>, (P.Output) throws -> T>)
    Use(
      "Publishers.TryMap.init(upstream:transform:)",
      Publishers.TryMap<P, T>.init(upstream:transform:)
        as (P, @escaping (P.Output) throws -> T) -> Publishers.TryMap<P, T>)
    Use("Publishers.CompactMap.upstream", \.upstream as KeyPath<Publishers.CompactMap<P, T>, P>)
    Use(
      "Publishers.CompactMap.transform", \.transform as KeyPath<Publishers.CompactMap<P, T>, (P.Output) -> T?>
    )
    Use(
      "Publishers.CompactMap.init(upstream:transform:)",
      Publishers.CompactMap<P, T>.init(upstream:transform:)
        as (P, @escaping (P.Output) -> T?) -> Publishers.CompactMap<P, T>)
    Use("Publishers.TryCompactMap.Failure", Publishers.TryCompactMap<P, T>.Failure.self as (any Error).Type)
    Use("Publishers.TryCompactMap.upstream", \.upstream as KeyPath<Publishers.TryCompactMap<P, T>, P>)
    Use(
      "Publishers.TryCompactMap.transform",
      \.transform as KeyPath<Publishers.TryCompactMap<P, T>, (P.Output) throws -> T?>)
    Use(
      "Publishers.TryCompactMap.init(upstream:transform:)",
      Publishers.TryCompactMap<P, T>.init(upstream:transform:)
        as (P, @escaping (P.Output) throws -> T?) -> Publishers.TryCompactMap<P, T>)
    Use("Publishers.Scan.upstream", \.upstream as KeyPath<Publishers.Scan<P, T>, P>)
    Use("Publishers.Scan.initialResult", \.initialResult as KeyPath<Publishers.Scan<P, T>, T>)
    Use(
      "Publishers.Scan.nextPartialResult",
      \.nextPartialResult as KeyPath<Publishers.Scan<P, T>, (T, P.Output) -> T>)
    Use(
      "Publishers.Scan.init(upstream:initialResult:nextPartialResult:)",
      Publishers.Scan<P, T>.init(upstream:initialResult:nextPartialResult:)
        as (P, T, @escaping (T, P.Output) -> T) -> Publishers.Scan<P, T>)
    Use("Publishers.TryScan.Failure", Publishers.TryScan<P, T>.Failure.self as (any Error).Type)
    Use("Publishers.TryScan.upstream", \.upstream as KeyPath<Publishers.TryScan<P, T>, P>)
    Use("Publishers.TryScan.initialResult", \.initialResult as KeyPath<Publishers.TryScan<P, T>, T>)
    Use(
      "Publishers.TryScan.nextPartialResult",
      \.nextPartialResult as KeyPath<Publishers.TryScan<P, T>, (T, P.Output) throws -> T>)
    Use(
      "Publishers.TryScan.init(upstream:initialResult:nextPartialResult:)",
      Publishers.TryScan<P, T>.init(upstream:initialResult:nextPartialResult:)
        as (P, T, @escaping (T, P.Output) throws -> T) -> Publishers.TryScan<P, T>)
    Use("Publishers.MapError.upstream", \.upstream as KeyPath<Publishers.MapError<P, E>, P>)
    Use("Publishers.MapError.transform", \.transform as KeyPath<Publishers.MapError<P, E>, (P.Failure) -> E>)
    Use(
      "Publishers.MapError.init(upstream:transform:)",
      Publishers.MapError<P, E>.init(upstream:transform:)
        as (P, @escaping (P.Failure) -> E) -> Publishers.MapError<P, E>)
    Use(
      "Publishers.MapError.init(upstream:_:)",
      Publishers.MapError<P, E>.init(upstream:_:)
        as (P, @escaping (P.Failure) -> E) -> Publishers.MapError<P, E>)
    Use(
      "Publishers.Map.map(_:)",
      Publishers.Map<P, T>.map(_:) as (Publishers.Map<P, T>) -> (@escaping (T) -> U) -> Publishers.Map<P, U>)
    Use(
      "Publishers.Map.tryMap(_:)",
      Publishers.Map<P, T>.tryMap(_:)
        as (Publishers.Map<P, T>) -> (@escaping (T) throws -> U) -> Publishers.TryMap<P, U>)
    Use(
      "Publishers.TryMap.map(_:)",
      Publishers.TryMap<P, T>.map(_:)
        as (Publishers.TryMap<P, T>) -> (@escaping (T) -> U) -> Publishers.TryMap<P, U>)
    Use(
      "Publishers.TryMap.tryMap(_:)",
      Publishers.TryMap<P, T>.tryMap(_:)
        as (Publishers.TryMap<P, T>) -> (@escaping (T) throws -> U) -> Publishers.TryMap<P, U>)
    Use(
      "Publishers.CompactMap.compactMap(_:)",
      Publishers.CompactMap<P, T>.compactMap(_:)
        as (Publishers.CompactMap<P, T>) -> (@escaping (T) -> U?) -> Publishers.CompactMap<P, U>)
    Use(
      "Publishers.CompactMap.map(_:)",
      Publishers.CompactMap<P, T>.map(_:)
        as (Publishers.CompactMap<P, T>) -> (@escaping (T) -> U) -> Publishers.CompactMap<P, U>)
    Use(
      "Publishers.TryCompactMap.compactMap(_:)",
      Publishers.TryCompactMap<P, T>.compactMap(_:)
        as (Publishers.TryCompactMap<P, T>) -> (@escaping (T) throws -> U?) -> Publishers.TryCompactMap<P, U>)
    Use("Publishers.MapKeyPath.upstream", \.upstream as KeyPath<Publishers.MapKeyPath<P, T>, P>)
    Use(
      "Publishers.MapKeyPath.keyPath", \.keyPath as KeyPath<Publishers.MapKeyPath<P, T>, KeyPath<P.Output, T>>
    )
    Use("Publishers.MapKeyPath2.Output", Publishers.MapKeyPath2<P, T, U>.Output.self as ((T, U)).Type)
    Use("Publishers.MapKeyPath2.upstream", \.upstream as KeyPath<Publishers.MapKeyPath2<P, T, U>, P>)
    Use(
      "Publishers.MapKeyPath2.keyPath0",
      \.keyPath0 as KeyPath<Publishers.MapKeyPath2<P, T, U>, KeyPath<P.Output, T>>)
    Use(
      "Publishers.MapKeyPath2.keyPath1",
      \.keyPath1 as KeyPath<Publishers.MapKeyPath2<P, T, U>, KeyPath<P.Output, U>>)
    Use("Publishers.MapKeyPath3.Output", Publishers.MapKeyPath3<P, T, U, V>.Output.self as ((T, U, V)).Type)
    Use("Publishers.MapKeyPath3.upstream", \.upstream as KeyPath<Publishers.MapKeyPath3<P, T, U, V>, P>)
    Use(
      "Publishers.MapKeyPath3.keyPath0",
      \.keyPath0 as KeyPath<Publishers.MapKeyPath3<P, T, U, V>, KeyPath<P.Output, T>>)
    Use(
      "Publishers.MapKeyPath3.keyPath1",
      \.keyPath1 as KeyPath<Publishers.MapKeyPath3<P, T, U, V>, KeyPath<P.Output, U>>)
    Use(
      "Publishers.MapKeyPath3.keyPath2",
      \.keyPath2 as KeyPath<Publishers.MapKeyPath3<P, T, U, V>, KeyPath<P.Output, V>>)
  }
}

enum ReplacingNilUses<P: Publisher & SendableMetatype, T>: Family where P.Output == T? {
  static var operators: [Use] {
    Use("replaceNil(with:)", P.replaceNil(with:) as (P) -> (T) -> Publishers.Map<P, T>)
  }
}
