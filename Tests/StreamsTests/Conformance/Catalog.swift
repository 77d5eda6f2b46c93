import Streams

/// All families, each with some types in place of its parameters: which ones does not matter.
enum Catalog {
  private typealias Some = Fail<Int, Problem>
  private typealias Other = Empty<Int, Problem>
  private typealias Safe = Just<Int>
  private typealias Middle = PassthroughSubject<Int, Problem>
  private typealias Target = AnySubscriber<Int, Problem>

  static var families: [any Family.Type] { operators + specialised + types }

  private static var operators: [any Family.Type] {
    [
      MappingUses<Some, Int, Int, Int, Problem>.self,
      ReplacingNilUses<Just<Int?>, Int>.self,
      FilteringUses<Some, Other, Range<Int>>.self,
      DroppingUntilUses<Some, Other>.self,
      EquatingUses<Some>.self,
      FoldingUses<Some, Int>.self,
      ComparingUses<Some>.self,
      FailingUses<Some, Other>.self,
      NeverFailingUses<Safe, Other, Problem, Box>.self,
      NeverFailingFlatteningUses<Safe, Safe>.self,
      FlatteningUses<Some, Other>.self,
      FlatteningNeverFailingUses<Some, Safe>.self,
      SwitchingSameFailureUses<Fail<Some, Problem>>.self,
      SwitchingFromNeverUses<Just<Some>>.self,
      SwitchingAllNeverUses<Just<Safe>>.self,
      SwitchingToNeverUses<Fail<Safe, Problem>>.self,
      ZippingUses<Some, Other, Some, Other, Int>.self,
      CombiningLatestUses<Some, Other, Some, Other, Int>.self,
      MergingUses<Some, Other, Some, Other, Some, Other, Some, Other>.self,
      MergingManyUses<Some, [Some]>.self,
      ConcatenatingUses<Some, Other, [Int]>.self,
      TimingUses<Some, ImmediateScheduler>.self,
      WatchingUses<Some>.self,
      BufferingUses<Some>.self,
      StrategiesUses<Problem>.self,
      SharingUses<Some, Middle>.self,
      SharingAlikeUses<Some>.self,
      ConnectingUses<Publishers.MakeConnectable<Safe>>.self,
      SubscribingUses<Some, Target>.self,
      DecodingUses<Some, Int, Coder>.self,
      EncodingUses<Some, Coder>.self,
      CodersUses<Coder, Coder, Int>.self,
    ]
  }

  private static var specialised: [any Family.Type] {
    [
      JustUses<Int, Int, Problem, [Int], Range<Int>>.self,
      EquatableJustUses<Int>.self,
      ComparableJustUses<Int>.self,
      OptionalUses<Int, Int, Range<Int>>.self,
      EquatableOptionalUses<Int>.self,
      ComparableOptionalUses<Int>.self,
      ResultUses<Int, Int, Problem, Problem>.self,
      EquatableResultUses<Int, Problem>.self,
      ComparableResultUses<Int, Problem>.self,
      NeverFailingResultUses<Int, Problem>.self,
      SequenceUses<[Int], Int, Problem, Problem>.self,
      SequenceOfOptionalsUses<[Int?], Int, Problem>.self,
      NeverFailingSequenceUses<[Int]>.self,
      EquatableSequenceUses<[Int], Problem>.self,
      ComparableSequenceUses<[Int]>.self,
      NeverFailingCollectionUses<[Int]>.self,
      CollectionUses<[Int], Problem>.self,
      BidirectionalUses<[Int]>.self,
      NeverFailingRandomAccessUses<[Int]>.self,
      RandomAccessUses<[Int], Problem>.self,
      RangeReplaceableUses<[Int], Set<Int>, Problem>.self,
    ]
  }

  private static var types: [any Family.Type] {
    [
      SourcesUses<Int, Problem>.self,
      EquatableSourcesUses<Int, Problem>.self,
      CodableSourcesUses<Int, Problem>.self,
      DeferredSourcesUses<Some>.self,
      SequenceSourcesUses<[Int], Problem>.self,
      PublishingUses<Some, Target>.self,
      ErasingUses<Int, Problem, Middle>.self,
      SubscribingToVoidUses<AnySubscriber<Void, Problem>>.self,
      CancellingUses<AnyCancellable, [AnyCancellable], Ticket>.self,
      IdentifyingUses<Target, Box>.self,
      IntrospectingUses<Onlooker, Some, Target>.self,
      SubjectsUses<Int, Problem, Target, Middle>.self,
      VoidSubjectsUses<PassthroughSubject<Void, Problem>>.self,
      ObservingUses<Int, Box, Box>.self,
      SinkingUses<Int, Problem, Box>.self,
      CompletingUses<Problem, Problem, Problem>.self,
      DemandingUses.self,
      SchedulersUses<ImmediateScheduler, ImmediateScheduler.SchedulerTimeType.Stride>.self,
      ImmediatelyUses<Int>.self,
      AwaitingUses<Some>.self,
      AwaitingNeverFailingUses<Safe>.self,
      EquatingOneUses<Some>.self,
      EquatingValuesUses<Some>.self,
      EquatingNeverFailingUses<Safe, Problem>.self,
      EquatingSequenceUses<[Int], Problem>.self,
      EquatingManyUses<Some, Some, Some, Some, Some, Some, Some, Some>.self,
    ]
  }
}

private final class Onlooker: _Introspection {}

private final class Box: ObservableObject {}

private final class Ticket: Subscription {
  func request(_ demand: Subscribers.Demand) {}
  func cancel() {}
}

private struct Coder: TopLevelEncoder, TopLevelDecoder {
  func encode<Value: Encodable>(_ value: Value) throws -> Int { 0 }
  func decode<Value: Decodable>(_ type: Value.Type, from input: Int) throws -> Value {
    throw Problem(code: 0)
  }
}
