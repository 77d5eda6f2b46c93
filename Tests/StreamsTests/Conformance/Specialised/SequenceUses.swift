import Streams

enum SequenceUses<S: Sequence & SendableMetatype, T, E: Error, F: Error>: Family {
  static var specialised: [Use] {
    Use(
      "Publishers.Sequence.allSatisfy(_:)",
      Publishers.Sequence<S, E>.allSatisfy(_:)
        as (Publishers.Sequence<S, E>) -> ((S.Element) -> Bool) -> Result<Bool, E>.Publisher)
    Use(
      "Publishers.Sequence.tryAllSatisfy(_:)",
      Publishers.Sequence<S, E>.tryAllSatisfy(_:)
        as (Publishers.Sequence<S, E>) -> ((S.Element) throws -> Bool) -> Result<Bool, any Error>.Publisher)
    Use(
      "Publishers.Sequence.collect()",
      Publishers.Sequence<S, E>.collect
        as (Publishers.Sequence<S, E>) -> () -> Result<[S.Element], E>.Publisher)
    Use(
      "Publishers.Sequence.compactMap(_:)",
      Publishers.Sequence<S, E>.compactMap(_:)
        as (Publishers.Sequence<S, E>) -> ((S.Element) -> T?) -> Publishers.Sequence<[T], E>)
    Use(
      "Publishers.Sequence.contains(where:)",
      Publishers.Sequence<S, E>.contains(where:)
        as (Publishers.Sequence<S, E>) -> ((S.Element) -> Bool) -> Result<Bool, E>.Publisher)
    Use(
      "Publishers.Sequence.tryContains(where:)",
      Publishers.Sequence<S, E>.tryContains(where:)
        as (Publishers.Sequence<S, E>) -> ((S.Element) throws -> Bool) -> Result<Bool, any Error>.Publisher)
    Use(
      "Publishers.Sequence.drop(while:)",
      Publishers.Sequence<S, E>.drop(while:)
        as (Publishers.Sequence<S, E>) -> ((S.Element) -> Bool) ->
        Publishers.Sequence<DropWhileSequence<S>, E>)
    Use(
      "Publishers.Sequence.dropFirst(_:)",
      Publishers.Sequence<S, E>.dropFirst(_:)
        as (Publishers.Sequence<S, E>) -> (Int) -> Publishers.Sequence<DropFirstSequence<S>, E>,
      defaults: { (sequence: Publishers.Sequence<S, E>) in sequence.dropFirst() })
    Use(
      "Publishers.Sequence.filter(_:)",
      Publishers.Sequence<S, E>.filter(_:)
        as (Publishers.Sequence<S, E>) -> ((S.Element) -> Bool) -> Publishers.Sequence<[S.Element], E>)
    Use(
      "Publishers.Sequence.ignoreOutput()",
      Publishers.Sequence<S, E>.ignoreOutput as (Publishers.Sequence<S, E>) -> () -> Empty<S.Element, E>)
    Use(
      "Publishers.Sequence.map(_:)",
      Publishers.Sequence<S, E>.map(_:)
        as (Publishers.Sequence<S, E>) -> ((S.Element) -> T) -> Publishers.Sequence<[T], E>)
    Use(
      "Publishers.Sequence.prefix(_:)",
      Publishers.Sequence<S, E>.prefix(_:)
        as (Publishers.Sequence<S, E>) -> (Int) -> Publishers.Sequence<PrefixSequence<S>, E>)
    Use(
      "Publishers.Sequence.prefix(while:)",
      Publishers.Sequence<S, E>.prefix(while:)
        as (Publishers.Sequence<S, E>) -> ((S.Element) -> Bool) -> Publishers.Sequence<[S.Element], E>)
    Use(
      "Publishers.Sequence.reduce(_:_:)",
      Publishers.Sequence<S, E>.reduce(_:_:)
        as (Publishers.Sequence<S, E>) -> (T, @escaping (T, S.Element) -> T) -> Result<T, E>.Publisher)
    Use(
      "Publishers.Sequence.tryReduce(_:_:)",
      Publishers.Sequence<S, E>.tryReduce(_:_:)
        as (Publishers.Sequence<S, E>) -> (T, @escaping (T, S.Element) throws -> T) ->
        Result<T, any Error>.Publisher)
    Use(
      "Publishers.Sequence.scan(_:_:)",
      Publishers.Sequence<S, E>.scan(_:_:)
        as (Publishers.Sequence<S, E>) -> (T, @escaping (T, S.Element) -> T) -> Publishers.Sequence<[T], E>)
    Use(
      "Publishers.Sequence.setFailureType(to:)",
      Publishers.Sequence<S, E>.setFailureType(to:)
        as (Publishers.Sequence<S, E>) -> (F.Type) -> Publishers.Sequence<S, F>)
  }
}

enum SequenceOfOptionalsUses<S: Sequence & SendableMetatype, T, E: Error>: Family where S.Element == T? {
  static var specialised: [Use] {
    Use(
      "Publishers.Sequence.replaceNil(with:)",
      Publishers.Sequence<S, E>.replaceNil(with:)
        as (Publishers.Sequence<S, E>) -> (T) -> Publishers.Sequence<[S.Element], E>)
  }
}

enum NeverFailingSequenceUses<S: Sequence & SendableMetatype>: Family {
  static var specialised: [Use] {
    Use(
      "Publishers.Sequence.min(by:)",
      Publishers.Sequence<S, Never>.min(by:)
        as (Publishers.Sequence<S, Never>) -> ((S.Element, S.Element) -> Bool) ->
        Optional<S.Element>.Publisher)
    Use(
      "Publishers.Sequence.max(by:)",
      Publishers.Sequence<S, Never>.max(by:)
        as (Publishers.Sequence<S, Never>) -> ((S.Element, S.Element) -> Bool) ->
        Optional<S.Element>.Publisher)
    Use(
      "Publishers.Sequence.first(where:)",
      Publishers.Sequence<S, Never>.first(where:)
        as (Publishers.Sequence<S, Never>) -> ((S.Element) -> Bool) -> Optional<S.Element>.Publisher)
  }
}

enum EquatableSequenceUses<S: Sequence & SendableMetatype, E: Error>: Family
where S.Element: Equatable & SendableMetatype {
  static var specialised: [Use] {
    Use(
      "Publishers.Sequence.removeDuplicates()",
      Publishers.Sequence<S, E>.removeDuplicates
        as (Publishers.Sequence<S, E>) -> () -> Publishers.Sequence<[S.Element], E>)
    Use(
      "Publishers.Sequence.contains(_:)",
      Publishers.Sequence<S, E>.contains(_:)
        as (Publishers.Sequence<S, E>) -> (S.Element) -> Result<Bool, E>.Publisher)
  }
}

enum ComparableSequenceUses<S: Sequence & SendableMetatype>: Family
where S.Element: Comparable & SendableMetatype {
  static var specialised: [Use] {
    Use(
      "Publishers.Sequence.min()",
      Publishers.Sequence<S, Never>.min
        as (Publishers.Sequence<S, Never>) -> () -> Optional<S.Element>.Publisher)
    Use(
      "Publishers.Sequence.max()",
      Publishers.Sequence<S, Never>.max
        as (Publishers.Sequence<S, Never>) -> () -> Optional<S.Element>.Publisher)
  }
}

enum NeverFailingCollectionUses<S: Collection & SendableMetatype>: Family {
  static var specialised: [Use] {
    Use(
      "Publishers.Sequence.first()",
      Publishers.Sequence<S, Never>.first
        as (Publishers.Sequence<S, Never>) -> () -> Optional<S.Element>.Publisher)
    Use(
      "Publishers.Sequence.output(at:) of a collection that never fails",
      Publishers.Sequence<S, Never>.output(at:)
        as (Publishers.Sequence<S, Never>) -> (S.Index) -> Optional<S.Element>.Publisher)
  }
}

enum CollectionUses<S: Collection & SendableMetatype, E: Error>: Family {
  static var specialised: [Use] {
    Use(
      "Publishers.Sequence.count() of a collection",
      Publishers.Sequence<S, E>.count as (Publishers.Sequence<S, E>) -> () -> Result<Int, E>.Publisher)
    Use(
      "Publishers.Sequence.output(in:) of a collection",
      Publishers.Sequence<S, E>.output(in:)
        as (Publishers.Sequence<S, E>) -> (Range<S.Index>) -> Publishers.Sequence<[S.Element], E>)
  }
}

enum BidirectionalUses<S: BidirectionalCollection & SendableMetatype>: Family {
  static var specialised: [Use] {
    Use(
      "Publishers.Sequence.last()",
      Publishers.Sequence<S, Never>.last
        as (Publishers.Sequence<S, Never>) -> () -> Optional<S.Element>.Publisher)
    Use(
      "Publishers.Sequence.last(where:)",
      Publishers.Sequence<S, Never>.last(where:)
        as (Publishers.Sequence<S, Never>) -> ((S.Element) -> Bool) -> Optional<S.Element>.Publisher)
  }
}

enum NeverFailingRandomAccessUses<S: RandomAccessCollection & SendableMetatype>: Family {
  static var specialised: [Use] {
    Use(
      "Publishers.Sequence.output(at:) of a random-access collection that never fails",
      Publishers.Sequence<S, Never>.output(at:)
        as (Publishers.Sequence<S, Never>) -> (S.Index) -> Optional<S.Element>.Publisher)
    Use(
      "Publishers.Sequence.count() of a random-access collection that never fails",
      Publishers.Sequence<S, Never>.count as (Publishers.Sequence<S, Never>) -> () -> Just<Int>)
  }
}

enum RandomAccessUses<S: RandomAccessCollection & SendableMetatype, E: Error>: Family {
  static var specialised: [Use] {
    Use(
      "Publishers.Sequence.output(in:) of a random-access collection",
      Publishers.Sequence<S, E>.output(in:)
        as (Publishers.Sequence<S, E>) -> (Range<S.Index>) -> Publishers.Sequence<[S.Element], E>)
    Use(
      "Publishers.Sequence.count() of a random-access collection",
      Publishers.Sequence<S, E>.count as (Publishers.Sequence<S, E>) -> () -> Result<Int, E>.Publisher)
  }
}

enum RangeReplaceableUses<
  S: RangeReplaceableCollection & SendableMetatype, Others: Sequence & SendableMetatype, E: Error
>: Family where Others.Element == S.Element {
  static var specialised: [Use] {
    Use(
      "Publishers.Sequence.prepend(_:) of elements",
      Publishers.Sequence<S, E>.prepend(_:)
        as (Publishers.Sequence<S, E>) -> (S.Element...) -> Publishers.Sequence<S, E>)
    Use(
      "Publishers.Sequence.prepend(_:) of a sequence",
      Publishers.Sequence<S, E>.prepend(_:)
        as (Publishers.Sequence<S, E>) -> (Others) -> Publishers.Sequence<S, E>)
    Use(
      "Publishers.Sequence.prepend(_:) of a publisher",
      Publishers.Sequence<S, E>.prepend(_:)
        as (Publishers.Sequence<S, E>) -> (Publishers.Sequence<S, E>) -> Publishers.Sequence<S, E>)
    Use(
      "Publishers.Sequence.append(_:) of elements",
      Publishers.Sequence<S, E>.append(_:)
        as (Publishers.Sequence<S, E>) -> (S.Element...) -> Publishers.Sequence<S, E>)
    Use(
      "Publishers.Sequence.append(_:) of a sequence",
      Publishers.Sequence<S, E>.append(_:)
        as (Publishers.Sequence<S, E>) -> (Others) -> Publishers.Sequence<S, E>)
    Use(
      "Publishers.Sequence.append(_:) of a publisher",
      Publishers.Sequence<S, E>.append(_:)
        as (Publishers.Sequence<S, E>) -> (Publishers.Sequence<S, E>) -> Publishers.Sequence<S, E>)
  }
}
