import Streams

enum FailingUses<P: Publisher & SendableMetatype, Q: Publisher & SendableMetatype>: Family
where P.Output == Q.Output {
  static var operators: [Use] {
    Use("retry(_:)", P.retry(_:) as (P) -> (Int) -> Publishers.Retry<P>)
    Use("replaceError(with:)", P.replaceError(with:) as (P) -> (P.Output) -> Publishers.ReplaceError<P>)
    Use(
      "assertNoFailure(_:file:line:)",
      P.assertNoFailure(_:file:line:) as (P) -> (String, StaticString, UInt) -> Publishers.AssertNoFailure<P>,
      defaults: { (p: P) in (p.assertNoFailure(), p.assertNoFailure("why")) })
    Use("catch(_:)", P.catch(_:) as (P) -> (@escaping (P.Failure) -> Q) -> Publishers.Catch<P, Q>)
    Use(
      "tryCatch(_:)",
      P.tryCatch(_:) as (P) -> (@escaping (P.Failure) throws -> Q) -> Publishers.TryCatch<P, Q>)
  }

  static var types: [Use] {
    Use("Publishers.Retry", publishes(Publishers.Retry<P>.self, P.Output.self, P.Failure.self))
    Use("Publishers.ReplaceError", publishes(Publishers.ReplaceError<P>.self, P.Output.self, Never.self))
    Use(
      "Publishers.AssertNoFailure", publishes(Publishers.AssertNoFailure<P>.self, P.Output.self, Never.self))
    Use("Publishers.Catch", publishes(Publishers.Catch<P, Q>.self, P.Output.self, (Q.Failure).self))
    Use("Publishers.TryCatch", publishes(Publishers.TryCatch<P, Q>.self, P.Output.self, (any Error).self))
  }

  static var members: [Use] {
    Use("Publishers.Retry.upstream", \.upstream as KeyPath<Publishers.Retry<P>, P>)
    Use("Publishers.Retry.retries", \.retries as KeyPath<Publishers.Retry<P>, Int?>)
    Use(
      "Publishers.Retry.init(upstream:retries:)",
      Publishers.Retry<P>.init(upstream:retries:) as (P, Int?) -> Publishers.Retry<P>)
    Use("Publishers.ReplaceError.Failure", Publishers.ReplaceError<P>.Failure.self as Never.Type)
    Use("Publishers.ReplaceError.output", \.output as KeyPath<Publishers.ReplaceError<P>, P.Output>)
    Use("Publishers.ReplaceError.upstream", \.upstream as KeyPath<Publishers.ReplaceError<P>, P>)
    Use(
      "Publishers.ReplaceError.init(upstream:output:)",
      Publishers.ReplaceError<P>.init(upstream:output:) as (P, P.Output) -> Publishers.ReplaceError<P>)
    Use("Publishers.AssertNoFailure.Failure", Publishers.AssertNoFailure<P>.Failure.self as Never.Type)
    Use("Publishers.AssertNoFailure.upstream", \.upstream as KeyPath<Publishers.AssertNoFailure<P>, P>)
    Use("Publishers.AssertNoFailure.prefix", \.prefix as KeyPath<Publishers.AssertNoFailure<P>, String>)
    Use("Publishers.AssertNoFailure.file", \.file as KeyPath<Publishers.AssertNoFailure<P>, StaticString>)
    Use("Publishers.AssertNoFailure.line", \.line as KeyPath<Publishers.AssertNoFailure<P>, UInt>)
    Use(
      "Publishers.AssertNoFailure.init(upstream:prefix:file:line:)",
      Publishers.AssertNoFailure<P>.init(upstream:prefix:file:line:)
        as (P, String, StaticString, UInt) -> Publishers.AssertNoFailure<P>)
    Use("Publishers.Catch.upstream", \.upstream as KeyPath<Publishers.Catch<P, Q>, P>)
    Use("Publishers.Catch.handler", \.handler as KeyPath<Publishers.Catch<P, Q>, (P.Failure) -> Q>)
    Use(
      "Publishers.Catch.init(upstream:handler:)",
      Publishers.Catch<P, Q>.init(upstream:handler:)
        as (P, @escaping (P.Failure) -> Q) -> Publishers.Catch<P, Q>)
    Use("Publishers.TryCatch.Failure", Publishers.TryCatch<P, Q>.Failure.self as (any Error).Type)
    Use("Publishers.TryCatch.upstream", \.upstream as KeyPath<Publishers.TryCatch<P, Q>, P>)
    Use(
      "Publishers.TryCatch.handler", \.handler as KeyPath<Publishers.TryCatch<P, Q>, (P.Failure) throws -> Q>)
    Use(
      "Publishers.TryCatch.init(upstream:handler:)",
      Publishers.TryCatch<P, Q>.init(upstream:handler:)
        as (P, @escaping (P.Failure) throws -> Q) -> Publishers.TryCatch<P, Q>)
  }
}
