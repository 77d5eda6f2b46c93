import Streams

enum OptionalUses<T, U, R: RangeExpression & SendableMetatype>: Family where R.Bound == Int {
  static var specialised: [Use] {
    Use(
      "Optional.Publisher.allSatisfy(_:)",
      Optional<T>.Publisher.allSatisfy(_:)
        as (Optional<T>.Publisher) -> ((T) -> Bool) -> Optional<Bool>.Publisher)
    Use(
      "Optional.Publisher.collect()",
      Optional<T>.Publisher.collect as (Optional<T>.Publisher) -> () -> Optional<[T]>.Publisher)
    Use(
      "Optional.Publisher.compactMap(_:)",
      Optional<T>.Publisher.compactMap(_:) as (Optional<T>.Publisher) -> ((T) -> U?) -> Optional<U>.Publisher)
    Use(
      "Optional.Publisher.min(by:)",
      Optional<T>.Publisher.min(by:) as (Optional<T>.Publisher) -> ((T, T) -> Bool) -> Optional<T>.Publisher)
    Use(
      "Optional.Publisher.max(by:)",
      Optional<T>.Publisher.max(by:) as (Optional<T>.Publisher) -> ((T, T) -> Bool) -> Optional<T>.Publisher)
    Use(
      "Optional.Publisher.contains(where:)",
      Optional<T>.Publisher.contains(where:)
        as (Optional<T>.Publisher) -> ((T) -> Bool) -> Optional<Bool>.Publisher)
    Use(
      "Optional.Publisher.count()",
      Optional<T>.Publisher.count as (Optional<T>.Publisher) -> () -> Optional<Int>.Publisher)
    Use(
      "Optional.Publisher.dropFirst(_:)",
      Optional<T>.Publisher.dropFirst(_:) as (Optional<T>.Publisher) -> (Int) -> Optional<T>.Publisher,
      defaults: { (optional: Optional<T>.Publisher) in optional.dropFirst() })
    Use(
      "Optional.Publisher.drop(while:)",
      Optional<T>.Publisher.drop(while:) as (Optional<T>.Publisher) -> ((T) -> Bool) -> Optional<T>.Publisher)
    Use(
      "Optional.Publisher.first()",
      Optional<T>.Publisher.first as (Optional<T>.Publisher) -> () -> Optional<T>.Publisher)
    Use(
      "Optional.Publisher.first(where:)",
      Optional<T>.Publisher.first(where:) as (Optional<T>.Publisher) -> ((T) -> Bool) -> Optional<T>.Publisher
    )
    Use(
      "Optional.Publisher.last()",
      Optional<T>.Publisher.last as (Optional<T>.Publisher) -> () -> Optional<T>.Publisher)
    Use(
      "Optional.Publisher.last(where:)",
      Optional<T>.Publisher.last(where:) as (Optional<T>.Publisher) -> ((T) -> Bool) -> Optional<T>.Publisher)
    Use(
      "Optional.Publisher.filter(_:)",
      Optional<T>.Publisher.filter(_:) as (Optional<T>.Publisher) -> ((T) -> Bool) -> Optional<T>.Publisher)
    Use(
      "Optional.Publisher.ignoreOutput()",
      Optional<T>.Publisher.ignoreOutput as (Optional<T>.Publisher) -> () -> Empty<T, Never>)
    Use(
      "Optional.Publisher.map(_:)",
      Optional<T>.Publisher.map(_:) as (Optional<T>.Publisher) -> ((T) -> U) -> Optional<U>.Publisher)
    Use(
      "Optional.Publisher.output(at:)",
      Optional<T>.Publisher.output(at:) as (Optional<T>.Publisher) -> (Int) -> Optional<T>.Publisher)
    Use(
      "Optional.Publisher.output(in:)",
      Optional<T>.Publisher.output(in:) as (Optional<T>.Publisher) -> (R) -> Optional<T>.Publisher)
    Use(
      "Optional.Publisher.prefix(_:)",
      Optional<T>.Publisher.prefix(_:) as (Optional<T>.Publisher) -> (Int) -> Optional<T>.Publisher)
    Use(
      "Optional.Publisher.prefix(while:)",
      Optional<T>.Publisher.prefix(while:)
        as (Optional<T>.Publisher) -> ((T) -> Bool) -> Optional<T>.Publisher)
    Use(
      "Optional.Publisher.reduce(_:_:)",
      Optional<T>.Publisher.reduce(_:_:)
        as (Optional<T>.Publisher) -> (U, (U, T) -> U) -> Optional<U>.Publisher)
    Use(
      "Optional.Publisher.removeDuplicates(by:)",
      Optional<T>.Publisher.removeDuplicates(by:)
        as (Optional<T>.Publisher) -> ((T, T) -> Bool) -> Optional<T>.Publisher)
    Use(
      "Optional.Publisher.replaceError(with:)",
      Optional<T>.Publisher.replaceError(with:) as (Optional<T>.Publisher) -> (T) -> Optional<T>.Publisher)
    Use(
      "Optional.Publisher.replaceEmpty(with:)",
      Optional<T>.Publisher.replaceEmpty(with:) as (Optional<T>.Publisher) -> (T) -> Just<T>)
    Use(
      "Optional.Publisher.retry(_:)",
      Optional<T>.Publisher.retry(_:) as (Optional<T>.Publisher) -> (Int) -> Optional<T>.Publisher)
    Use(
      "Optional.Publisher.scan(_:_:)",
      Optional<T>.Publisher.scan(_:_:) as (Optional<T>.Publisher) -> (U, (U, T) -> U) -> Optional<U>.Publisher
    )
  }
}

enum EquatableOptionalUses<T: Equatable & SendableMetatype>: Family {
  static var specialised: [Use] {
    Use(
      "Optional.Publisher.contains(_:)",
      Optional<T>.Publisher.contains(_:) as (Optional<T>.Publisher) -> (T) -> Optional<Bool>.Publisher)
    Use(
      "Optional.Publisher.removeDuplicates()",
      Optional<T>.Publisher.removeDuplicates as (Optional<T>.Publisher) -> () -> Optional<T>.Publisher)
  }
}

enum ComparableOptionalUses<T: Comparable & SendableMetatype>: Family {
  static var specialised: [Use] {
    Use(
      "Optional.Publisher.min()",
      Optional<T>.Publisher.min as (Optional<T>.Publisher) -> () -> Optional<T>.Publisher)
    Use(
      "Optional.Publisher.max()",
      Optional<T>.Publisher.max as (Optional<T>.Publisher) -> () -> Optional<T>.Publisher)
  }
}
