import Streams

enum PublishingUses<P: Publisher & SendableMetatype, S: Subscriber & SendableMetatype>: Family
where P.Output == S.Input, P.Failure == S.Failure {
  static var types: [Use] {
    Use("Publisher", { (_: any Publisher<P.Output, P.Failure>) in })
    Use("Publishers", Publishers.self)
    Use("Subscriber", { (_: any Subscriber<S.Input, S.Failure>) in })
    Use("Subscribers", Subscribers.self)
    Use("AnyPublisher", publishes(AnyPublisher<P.Output, P.Failure>.self, P.Output.self, P.Failure.self))
    Use(
      "AnySubscriber", subscribes(AnySubscriber<S.Input, S.Failure>.self, S.Input.self, S.Failure.self))
  }

  static var members: [Use] {
    Use("Publisher.Output", { (output: S.Input) in output as P.Output })
    Use("Publisher.Failure", { (failure: P.Failure) in failure as any Error })
    Use("Publisher.receive(subscriber:)", P.receive(subscriber:) as (P) -> (S) -> Void)
    Use("Subscriber.Input", S.Input.self)
    Use("Subscriber.Failure", { (failure: S.Failure) in failure as any Error })
    Use("Subscriber.receive(subscription:)", S.receive(subscription:) as (S) -> (any Subscription) -> Void)
    Use("Subscriber.receive(_:)", S.receive(_:) as (S) -> (S.Input) -> Subscribers.Demand)
    Use(
      "Subscriber.receive(completion:)",
      S.receive(completion:) as (S) -> (Subscribers.Completion<S.Failure>) -> Void)
    Use("AnyPublisher.description", \.description as KeyPath<AnyPublisher<P.Output, P.Failure>, String>)
    Use(
      "AnyPublisher.playgroundDescription",
      \.playgroundDescription as KeyPath<AnyPublisher<P.Output, P.Failure>, Any>)
    Use(
      "AnyPublisher.init(_:)",
      AnyPublisher<P.Output, P.Failure>.init(_:) as (P) -> AnyPublisher<P.Output, P.Failure>)
    Use(
      "AnyPublisher.receive(subscriber:)",
      AnyPublisher<P.Output, P.Failure>.receive(subscriber:)
        as (AnyPublisher<P.Output, P.Failure>) -> (S) -> Void)
    Use(
      "AnySubscriber.init(_:) of a subscriber",
      AnySubscriber<S.Input, S.Failure>.init(_:) as (S) -> AnySubscriber<S.Input, S.Failure>)
  }
}

enum ErasingUses<T, E: Error, M: Subject & SendableMetatype>: Family where M.Output == T, M.Failure == E {
  static var members: [Use] {
    Use(
      "AnySubscriber.combineIdentifier",
      \.combineIdentifier as KeyPath<AnySubscriber<T, E>, CombineIdentifier>)
    Use("AnySubscriber.description", \.description as KeyPath<AnySubscriber<T, E>, String>)
    Use("AnySubscriber.customMirror", \.customMirror as KeyPath<AnySubscriber<T, E>, Mirror>)
    Use("AnySubscriber.playgroundDescription", \.playgroundDescription as KeyPath<AnySubscriber<T, E>, Any>)
    Use(
      "AnySubscriber.init(_:) of a subject", AnySubscriber<T, E>.init(_:) as (M) -> AnySubscriber<T, E>)
    Use(
      "AnySubscriber.init(receiveSubscription:receiveValue:receiveCompletion:)",
      AnySubscriber<T, E>.init(receiveSubscription:receiveValue:receiveCompletion:)
        as (
          ((any Subscription) -> Void)?, ((T) -> Subscribers.Demand)?,
          ((Subscribers.Completion<E>) -> Void)?
        ) -> AnySubscriber<T, E>,
      defaults: { (AnySubscriber<T, E>(), AnySubscriber<T, E>(receiveValue: { _ in .none })) })
    Use(
      "AnySubscriber.receive(subscription:)",
      AnySubscriber<T, E>.receive(subscription:) as (AnySubscriber<T, E>) -> (any Subscription) -> Void)
    Use(
      "AnySubscriber.receive(_:)",
      AnySubscriber<T, E>.receive(_:) as (AnySubscriber<T, E>) -> (T) -> Subscribers.Demand)
    Use(
      "AnySubscriber.receive(completion:)",
      AnySubscriber<T, E>.receive(completion:)
        as (AnySubscriber<T, E>) -> (Subscribers.Completion<E>) -> Void)
  }
}

enum SubscribingToVoidUses<S: Subscriber & SendableMetatype>: Family where S.Input == Void {
  static var members: [Use] {
    Use("Subscriber.receive()", S.receive as (S) -> () -> Subscribers.Demand)
  }
}

enum CancellingUses<
  C: Cancellable & SendableMetatype, Many: RangeReplaceableCollection & SendableMetatype,
  S: Subscription & SendableMetatype
>: Family where Many.Element == AnyCancellable {
  static var types: [Use] {
    Use("Cancellable", { (cancellable: C) in cancellable as any Cancellable })
    Use("AnyCancellable", { (cancellable: AnyCancellable) in cancellable as any Cancellable & Hashable })
    Use(
      "Subscription",
      { (subscription: S) in
        subscription as any Subscription & Cancellable & CustomCombineIdentifierConvertible
      })
    Use("Subscriptions", Subscriptions.self)
  }

  static var members: [Use] {
    Use("Cancellable.cancel()", C.cancel as (C) -> () -> Void)
    Use(
      "Cancellable.store(in:) of a collection",
      { (cancellable: C, many: inout Many) -> Void in cancellable.store(in: &many) })
    Use(
      "Cancellable.store(in:) of a set",
      { (cancellable: C, set: inout Set<AnyCancellable>) -> Void in cancellable.store(in: &set) })
    Use("AnyCancellable.init(_:) of a closure", { (cancel: @escaping () -> Void) in AnyCancellable(cancel) })
    Use("AnyCancellable.init(_:) of a cancellable", AnyCancellable.init(_:) as (C) -> AnyCancellable)
    Use("AnyCancellable.cancel()", AnyCancellable.cancel as (AnyCancellable) -> () -> Void)
    Use(
      "AnyCancellable.hash(into:)",
      { (cancellable: AnyCancellable, hasher: inout Hasher) -> Void in cancellable.hash(into: &hasher) })
    Use("AnyCancellable.==", (==) as (AnyCancellable, AnyCancellable) -> Bool)
    Use("AnyCancellable.hashValue", \.hashValue as KeyPath<AnyCancellable, Int>)
    Use(
      "AnyCancellable.store(in:) of a collection",
      { (cancellable: AnyCancellable, many: inout Many) -> Void in cancellable.store(in: &many) })
    Use(
      "AnyCancellable.store(in:) of a set",
      { (cancellable: AnyCancellable, set: inout Set<AnyCancellable>) -> Void in cancellable.store(in: &set) }
    )
    Use("Subscription.request(_:)", S.request(_:) as (S) -> (Subscribers.Demand) -> Void)
    Use("Subscriptions.empty", Subscriptions.empty as any Subscription)
  }
}

enum IdentifyingUses<
  C: CustomCombineIdentifierConvertible & SendableMetatype, Object: AnyObject
>: Family {
  private final class Identified: CustomCombineIdentifierConvertible {}

  static var types: [Use] {
    Use("CombineIdentifier", { (it: CombineIdentifier) in it as any Hashable & CustomStringConvertible })
    Use(
      "CustomCombineIdentifierConvertible", { (it: C) in it as any CustomCombineIdentifierConvertible })
  }

  static var members: [Use] {
    Use("CombineIdentifier.init()", CombineIdentifier.init as () -> CombineIdentifier)
    Use("CombineIdentifier.init(_:)", { (object: Object) in CombineIdentifier(object) })
    Use("CombineIdentifier.description", \.description as KeyPath<CombineIdentifier, String>)
    Use(
      "CombineIdentifier.hash(into:)",
      { (identifier: CombineIdentifier, hasher: inout Hasher) -> Void in identifier.hash(into: &hasher) })
    Use("CombineIdentifier.==", (==) as (CombineIdentifier, CombineIdentifier) -> Bool)
    Use("CombineIdentifier.hashValue", \.hashValue as KeyPath<CombineIdentifier, Int>)
    Use(
      "CustomCombineIdentifierConvertible.combineIdentifier",
      \.combineIdentifier as KeyPath<C, CombineIdentifier>)
    Use(
      "CustomCombineIdentifierConvertible.combineIdentifier of an object",
      \.combineIdentifier as KeyPath<Identified, CombineIdentifier>)
  }
}
