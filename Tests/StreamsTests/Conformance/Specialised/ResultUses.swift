import Streams

enum ResultUses<T, U, E: Error, F: Error>: Family {
  static var specialised: [Use] {
    Use(
      "Result.Publisher.allSatisfy(_:)",
      Result<T, E>.Publisher.allSatisfy(_:)
        as (Result<T, E>.Publisher) -> ((T) -> Bool) -> Result<Bool, E>.Publisher)
    Use(
      "Result.Publisher.tryAllSatisfy(_:)",
      Result<T, E>.Publisher.tryAllSatisfy(_:)
        as (Result<T, E>.Publisher) -> ((T) throws -> Bool) -> Result<Bool, any Error>.Publisher)
    Use(
      "Result.Publisher.collect()",
      Result<T, E>.Publisher.collect as (Result<T, E>.Publisher) -> () -> Result<[T], E>.Publisher)
    Use(
      "Result.Publisher.min(by:)",
      Result<T, E>.Publisher.min(by:)
        as (Result<T, E>.Publisher) -> ((T, T) -> Bool) -> Result<T, E>.Publisher)
    Use(
      "Result.Publisher.tryMin(by:)",
      Result<T, E>.Publisher.tryMin(by:)
        as (Result<T, E>.Publisher) -> ((T, T) throws -> Bool) -> Result<T, any Error>.Publisher)
    Use(
      "Result.Publisher.max(by:)",
      Result<T, E>.Publisher.max(by:)
        as (Result<T, E>.Publisher) -> ((T, T) -> Bool) -> Result<T, E>.Publisher)
    Use(
      "Result.Publisher.tryMax(by:)",
      Result<T, E>.Publisher.tryMax(by:)
        as (Result<T, E>.Publisher) -> ((T, T) throws -> Bool) -> Result<T, any Error>.Publisher)
    Use(
      "Result.Publisher.contains(where:)",
      Result<T, E>.Publisher.contains(where:)
        as (Result<T, E>.Publisher) -> ((T) -> Bool) -> Result<Bool, E>.Publisher)
    Use(
      "Result.Publisher.tryContains(where:)",
      Result<T, E>.Publisher.tryContains(where:)
        as (Result<T, E>.Publisher) -> ((T) throws -> Bool) -> Result<Bool, any Error>.Publisher)
    Use(
      "Result.Publisher.count()",
      Result<T, E>.Publisher.count as (Result<T, E>.Publisher) -> () -> Result<Int, E>.Publisher)
    Use(
      "Result.Publisher.first()",
      Result<T, E>.Publisher.first as (Result<T, E>.Publisher) -> () -> Result<T, E>.Publisher)
    Use(
      "Result.Publisher.last()",
      Result<T, E>.Publisher.last as (Result<T, E>.Publisher) -> () -> Result<T, E>.Publisher)
    Use(
      "Result.Publisher.ignoreOutput()",
      Result<T, E>.Publisher.ignoreOutput as (Result<T, E>.Publisher) -> () -> Empty<T, E>)
    Use(
      "Result.Publisher.map(_:)",
      Result<T, E>.Publisher.map(_:) as (Result<T, E>.Publisher) -> ((T) -> U) -> Result<U, E>.Publisher)
    Use(
      "Result.Publisher.tryMap(_:)",
      Result<T, E>.Publisher.tryMap(_:)
        as (Result<T, E>.Publisher) -> ((T) throws -> U) -> Result<U, any Error>.Publisher)
    Use(
      "Result.Publisher.mapError(_:)",
      Result<T, E>.Publisher.mapError(_:) as (Result<T, E>.Publisher) -> ((E) -> F) -> Result<T, F>.Publisher)
    Use(
      "Result.Publisher.reduce(_:_:)",
      Result<T, E>.Publisher.reduce(_:_:)
        as (Result<T, E>.Publisher) -> (U, (U, T) -> U) -> Result<U, E>.Publisher)
    Use(
      "Result.Publisher.tryReduce(_:_:)",
      Result<T, E>.Publisher.tryReduce(_:_:)
        as (Result<T, E>.Publisher) -> (U, (U, T) throws -> U) -> Result<U, any Error>.Publisher)
    Use(
      "Result.Publisher.removeDuplicates(by:)",
      Result<T, E>.Publisher.removeDuplicates(by:)
        as (Result<T, E>.Publisher) -> ((T, T) -> Bool) -> Result<T, E>.Publisher)
    Use(
      "Result.Publisher.tryRemoveDuplicates(by:)",
      Result<T, E>.Publisher.tryRemoveDuplicates(by:)
        as (Result<T, E>.Publisher) -> ((T, T) throws -> Bool) -> Result<T, any Error>.Publisher)
    Use(
      "Result.Publisher.replaceError(with:)",
      Result<T, E>.Publisher.replaceError(with:)
        as (Result<T, E>.Publisher) -> (T) -> Result<T, Never>.Publisher)
    Use(
      "Result.Publisher.replaceEmpty(with:)",
      Result<T, E>.Publisher.replaceEmpty(with:) as (Result<T, E>.Publisher) -> (T) -> Result<T, E>.Publisher)
    Use(
      "Result.Publisher.retry(_:)",
      Result<T, E>.Publisher.retry(_:) as (Result<T, E>.Publisher) -> (Int) -> Result<T, E>.Publisher)
    Use(
      "Result.Publisher.scan(_:_:)",
      Result<T, E>.Publisher.scan(_:_:)
        as (Result<T, E>.Publisher) -> (U, (U, T) -> U) -> Result<U, E>.Publisher)
    Use(
      "Result.Publisher.tryScan(_:_:)",
      Result<T, E>.Publisher.tryScan(_:_:)
        as (Result<T, E>.Publisher) -> (U, (U, T) throws -> U) -> Result<U, any Error>.Publisher)
  }
}

enum EquatableResultUses<T: Equatable & SendableMetatype, E: Error>: Family {
  static var specialised: [Use] {
    Use(
      "Result.Publisher.contains(_:)",
      Result<T, E>.Publisher.contains(_:) as (Result<T, E>.Publisher) -> (T) -> Result<Bool, E>.Publisher)
    Use(
      "Result.Publisher.removeDuplicates()",
      Result<T, E>.Publisher.removeDuplicates as (Result<T, E>.Publisher) -> () -> Result<T, E>.Publisher)
  }
}

enum ComparableResultUses<T: Comparable & SendableMetatype, E: Error>: Family {
  static var specialised: [Use] {
    Use(
      "Result.Publisher.min()",
      Result<T, E>.Publisher.min as (Result<T, E>.Publisher) -> () -> Result<T, E>.Publisher)
    Use(
      "Result.Publisher.max()",
      Result<T, E>.Publisher.max as (Result<T, E>.Publisher) -> () -> Result<T, E>.Publisher)
  }
}

enum NeverFailingResultUses<T, E: Error>: Family {
  static var specialised: [Use] {
    Use(
      "Result.Publisher.setFailureType(to:)",
      Result<T, Never>.Publisher.setFailureType(to:)
        as (Result<T, Never>.Publisher) -> (E.Type) -> Result<T, E>.Publisher)
  }
}
