import Streams

enum AwaitingUses<P: Publisher & SendableMetatype>: Family {
  typealias Values = AsyncThrowingPublisher<P>

  static var types: [Use] {
    Use("AsyncThrowingPublisher", { (values: Values) in values as any AsyncSequence<P.Output, any Error> })
    Use("AsyncThrowingPublisher.Iterator", { (it: Values.Iterator) in it as any AsyncIteratorProtocol })
  }

  static var members: [Use] {
    Use("values", \.values as KeyPath<P, Values>)
    Use("AsyncThrowingPublisher.Element", Values.Element.self as P.Output.Type)
    Use("AsyncThrowingPublisher.init(_:)", Values.init(_:) as (P) -> Values)
    Use(
      "AsyncThrowingPublisher.makeAsyncIterator()",
      Values.makeAsyncIterator as (Values) -> () -> Values.Iterator)
    Use("AsyncThrowingPublisher.AsyncIterator", Values.AsyncIterator.self as Values.Iterator.Type)
    Use(
      "AsyncThrowingPublisher.Iterator.next()",
      { (iterator: inout Values.Iterator) async throws -> P.Output? in try await iterator.next() })
    Use("AsyncThrowingPublisher.Iterator.Element", Values.Iterator.Element.self as P.Output.Type)
  }
}

enum AwaitingNeverFailingUses<P: Publisher & SendableMetatype>: Family where P.Failure == Never {
  typealias Values = AsyncPublisher<P>

  static var types: [Use] {
    Use("AsyncPublisher", { (values: Values) in values as any AsyncSequence<P.Output, Never> })
    Use("AsyncPublisher.Iterator", { (it: Values.Iterator) in it as any AsyncIteratorProtocol })
  }

  static var members: [Use] {
    Use("values of a publisher that never fails", \.values as KeyPath<P, Values>)
    Use("AsyncPublisher.Element", Values.Element.self as P.Output.Type)
    Use("AsyncPublisher.init(_:)", Values.init(_:) as (P) -> Values)
    Use(
      "AsyncPublisher.makeAsyncIterator()", Values.makeAsyncIterator as (Values) -> () -> Values.Iterator)
    Use("AsyncPublisher.AsyncIterator", Values.AsyncIterator.self as Values.Iterator.Type)
    Use(
      "AsyncPublisher.Iterator.next()",
      { (iterator: inout Values.Iterator) async -> P.Output? in await iterator.next() })
    Use("AsyncPublisher.Iterator.Element", Values.Iterator.Element.self as P.Output.Type)
  }
}
