import Streams

enum SubscribingUses<P: Publisher & SendableMetatype, S: Subscriber & SendableMetatype>: Family
where P.Output == S.Input, P.Failure == S.Failure {
  static var operators: [Use] {
    Use("subscribe(_:) of a subscriber", P.subscribe(_:) as (P) -> (S) -> Void)
    Use(
      "sink(receiveCompletion:receiveValue:)",
      P.sink(receiveCompletion:receiveValue:)
        as (P) -> (@escaping ((Subscribers.Completion<P.Failure>) -> Void), @escaping ((P.Output) -> Void)) ->
        AnyCancellable)
    Use("eraseToAnyPublisher()", P.eraseToAnyPublisher as (P) -> () -> AnyPublisher<P.Output, P.Failure>)
  }
}
