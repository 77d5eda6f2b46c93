import Streams

enum JustUses<
  T, U, E: Error, Elements: Sequence & SendableMetatype, R: RangeExpression & SendableMetatype
>: Family where Elements.Element == T, R.Bound == Int {
  static var specialised: [Use] {
    Use("Just.allSatisfy(_:)", Just<T>.allSatisfy(_:) as (Just<T>) -> ((T) -> Bool) -> Just<Bool>)
    Use(
      "Just.tryAllSatisfy(_:)",
      Just<T>.tryAllSatisfy(_:) as (Just<T>) -> ((T) throws -> Bool) -> Result<Bool, any Error>.Publisher)
    Use("Just.collect()", Just<T>.collect as (Just<T>) -> () -> Just<[T]>)
    Use("Just.compactMap(_:)", Just<T>.compactMap(_:) as (Just<T>) -> ((T) -> U?) -> Optional<U>.Publisher)
    Use("Just.min(by:)", Just<T>.min(by:) as (Just<T>) -> ((T, T) -> Bool) -> Just<T>)
    Use("Just.max(by:)", Just<T>.max(by:) as (Just<T>) -> ((T, T) -> Bool) -> Just<T>)
    Use(
      "Just.prepend(_:) of elements",
      Just<T>.prepend(_:) as (Just<T>) -> (T...) -> Publishers.Sequence<[T], Never>)
    Use(
      "Just.prepend(_:) of a sequence",
      Just<T>.prepend(_:) as (Just<T>) -> (Elements) -> Publishers.Sequence<[T], Never>)
    Use(
      "Just.append(_:) of elements",
      Just<T>.append(_:) as (Just<T>) -> (T...) -> Publishers.Sequence<[T], Never>)
    Use(
      "Just.append(_:) of a sequence",
      Just<T>.append(_:) as (Just<T>) -> (Elements) -> Publishers.Sequence<[T], Never>)
    Use("Just.contains(where:)", Just<T>.contains(where:) as (Just<T>) -> ((T) -> Bool) -> Just<Bool>)
    Use(
      "Just.tryContains(where:)",
      Just<T>.tryContains(where:) as (Just<T>) -> ((T) throws -> Bool) -> Result<Bool, any Error>.Publisher)
    Use("Just.count()", Just<T>.count as (Just<T>) -> () -> Just<Int>)
    Use(
      "Just.dropFirst(_:)", Just<T>.dropFirst(_:) as (Just<T>) -> (Int) -> Optional<T>.Publisher,
      defaults: { (just: Just<T>) in just.dropFirst() })
    Use("Just.drop(while:)", Just<T>.drop(while:) as (Just<T>) -> ((T) -> Bool) -> Optional<T>.Publisher)
    Use("Just.first()", Just<T>.first as (Just<T>) -> () -> Just<T>)
    Use("Just.first(where:)", Just<T>.first(where:) as (Just<T>) -> ((T) -> Bool) -> Optional<T>.Publisher)
    Use("Just.last()", Just<T>.last as (Just<T>) -> () -> Just<T>)
    Use("Just.last(where:)", Just<T>.last(where:) as (Just<T>) -> ((T) -> Bool) -> Optional<T>.Publisher)
    Use("Just.filter(_:)", Just<T>.filter(_:) as (Just<T>) -> ((T) -> Bool) -> Optional<T>.Publisher)
    Use("Just.ignoreOutput()", Just<T>.ignoreOutput as (Just<T>) -> () -> Empty<T, Never>)
    Use("Just.map(_:)", Just<T>.map(_:) as (Just<T>) -> ((T) -> U) -> Just<U>)
    Use(
      "Just.tryMap(_:)",
      Just<T>.tryMap(_:) as (Just<T>) -> ((T) throws -> U) -> Result<U, any Error>.Publisher)
    Use("Just.mapError(_:)", Just<T>.mapError(_:) as (Just<T>) -> ((Never) -> E) -> Result<T, E>.Publisher)
    Use("Just.output(at:)", Just<T>.output(at:) as (Just<T>) -> (Int) -> Optional<T>.Publisher)
    Use("Just.output(in:)", Just<T>.output(in:) as (Just<T>) -> (R) -> Optional<T>.Publisher)
    Use("Just.prefix(_:)", Just<T>.prefix(_:) as (Just<T>) -> (Int) -> Optional<T>.Publisher)
    Use("Just.prefix(while:)", Just<T>.prefix(while:) as (Just<T>) -> ((T) -> Bool) -> Optional<T>.Publisher)
    Use(
      "Just.reduce(_:_:)", Just<T>.reduce(_:_:) as (Just<T>) -> (U, (U, T) -> U) -> Result<U, Never>.Publisher
    )
    Use(
      "Just.tryReduce(_:_:)",
      Just<T>.tryReduce(_:_:) as (Just<T>) -> (U, (U, T) throws -> U) -> Result<U, any Error>.Publisher)
    Use(
      "Just.removeDuplicates(by:)", Just<T>.removeDuplicates(by:) as (Just<T>) -> ((T, T) -> Bool) -> Just<T>)
    Use(
      "Just.tryRemoveDuplicates(by:)",
      Just<T>.tryRemoveDuplicates(by:)
        as (Just<T>) -> ((T, T) throws -> Bool) -> Result<T, any Error>.Publisher)
    Use("Just.replaceError(with:)", Just<T>.replaceError(with:) as (Just<T>) -> (T) -> Just<T>)
    Use("Just.replaceEmpty(with:)", Just<T>.replaceEmpty(with:) as (Just<T>) -> (T) -> Just<T>)
    Use("Just.retry(_:)", Just<T>.retry(_:) as (Just<T>) -> (Int) -> Just<T>)
    Use("Just.scan(_:_:)", Just<T>.scan(_:_:) as (Just<T>) -> (U, (U, T) -> U) -> Result<U, Never>.Publisher)
    Use(
      "Just.tryScan(_:_:)",
      Just<T>.tryScan(_:_:) as (Just<T>) -> (U, (U, T) throws -> U) -> Result<U, any Error>.Publisher)
    Use(
      "Just.setFailureType(to:)",
      Just<T>.setFailureType(to:) as (Just<T>) -> (E.Type) -> Result<T, E>.Publisher)
  }
}

enum EquatableJustUses<T: Equatable & SendableMetatype>: Family {
  static var specialised: [Use] {
    Use("Just.contains(_:)", Just<T>.contains(_:) as (Just<T>) -> (T) -> Just<Bool>)
    Use("Just.removeDuplicates()", Just<T>.removeDuplicates as (Just<T>) -> () -> Just<T>)
  }
}

enum ComparableJustUses<T: Comparable & SendableMetatype>: Family {
  static var specialised: [Use] {
    Use("Just.min()", Just<T>.min as (Just<T>) -> () -> Just<T>)
    Use("Just.max()", Just<T>.max as (Just<T>) -> () -> Just<T>)
  }
}
