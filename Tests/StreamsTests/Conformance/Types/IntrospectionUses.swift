import Streams

enum IntrospectingUses<
  I: _Introspection & SendableMetatype, P: Publisher & SendableMetatype, S: Subscriber & SendableMetatype
>: Family where P.Output == S.Input, P.Failure == S.Failure {
  typealias Demand = Subscribers.Demand
  typealias Completion = Subscribers.Completion<S.Failure>

  /// Has no hook of its own: that it compiles shows that each has a default.
  private final class Blind: _Introspection {}

  static var types: [Use] {
    Use("_Introspection", { (introspection: I) in introspection as any _Introspection & AnyObject })
  }

  static var members: [Use] {
    Use(
      "_Introspection.willReceive(publisher:subscriber:)",
      I.willReceive(publisher:subscriber:) as (I) -> (P, S) -> Void)
    Use(
      "_Introspection.didReceive(publisher:subscriber:)",
      I.didReceive(publisher:subscriber:) as (I) -> (P, S) -> Void)
    Use(
      "_Introspection.willReceive(subscriber:subscription:)",
      I.willReceive(subscriber:subscription:) as (I) -> (S, any Subscription) -> Void)
    Use(
      "_Introspection.didReceive(subscriber:subscription:)",
      I.didReceive(subscriber:subscription:) as (I) -> (S, any Subscription) -> Void)
    Use(
      "_Introspection.willReceive(subscriber:input:)",
      I.willReceive(subscriber:input:) as (I) -> (S, S.Input) -> Void)
    Use(
      "_Introspection.didReceive(subscriber:input:resultingDemand:)",
      I.didReceive(subscriber:input:resultingDemand:) as (I) -> (S, S.Input, Demand) -> Void)
    Use(
      "_Introspection.willReceive(subscriber:completion:)",
      I.willReceive(subscriber:completion:) as (I) -> (S, Completion) -> Void)
    Use(
      "_Introspection.didReceive(subscriber:completion:)",
      I.didReceive(subscriber:completion:) as (I) -> (S, Completion) -> Void)
    Use(
      "_Introspection.willRequest(subscription:_:)",
      I.willRequest(subscription:_:) as (I) -> (any Subscription, Demand) -> Void)
    Use(
      "_Introspection.didRequest(subscription:_:)",
      I.didRequest(subscription:_:) as (I) -> (any Subscription, Demand) -> Void)
    Use(
      "_Introspection.willCancel(subscription:)",
      I.willCancel(subscription:) as (I) -> (any Subscription) -> Void)
    Use(
      "_Introspection.didCancel(subscription:)",
      I.didCancel(subscription:) as (I) -> (any Subscription) -> Void)
    Use(
      "_Introspection.willReceive(publisher:subscriber:) by default",
      Blind.willReceive(publisher:subscriber:) as (Blind) -> (P, S) -> Void)
    Use(
      "_Introspection.didReceive(publisher:subscriber:) by default",
      Blind.didReceive(publisher:subscriber:) as (Blind) -> (P, S) -> Void)
    Use(
      "_Introspection.willReceive(subscriber:subscription:) by default",
      Blind.willReceive(subscriber:subscription:) as (Blind) -> (S, any Subscription) -> Void)
    Use(
      "_Introspection.didReceive(subscriber:subscription:) by default",
      Blind.didReceive(subscriber:subscription:) as (Blind) -> (S, any Subscription) -> Void)
    Use(
      "_Introspection.willReceive(subscriber:input:) by default",
      Blind.willReceive(subscriber:input:) as (Blind) -> (S, S.Input) -> Void)
    Use(
      "_Introspection.didReceive(subscriber:input:resultingDemand:) by default",
      Blind.didReceive(subscriber:input:resultingDemand:) as (Blind) -> (S, S.Input, Demand) -> Void)
    Use(
      "_Introspection.willReceive(subscriber:completion:) by default",
      Blind.willReceive(subscriber:completion:) as (Blind) -> (S, Completion) -> Void)
    Use(
      "_Introspection.didReceive(subscriber:completion:) by default",
      Blind.didReceive(subscriber:completion:) as (Blind) -> (S, Completion) -> Void)
    Use(
      "_Introspection.willRequest(subscription:_:) by default",
      Blind.willRequest(subscription:_:) as (Blind) -> (any Subscription, Demand) -> Void)
    Use(
      "_Introspection.didRequest(subscription:_:) by default",
      Blind.didRequest(subscription:_:) as (Blind) -> (any Subscription, Demand) -> Void)
    Use(
      "_Introspection.willCancel(subscription:) by default",
      Blind.willCancel(subscription:) as (Blind) -> (any Subscription) -> Void)
    Use(
      "_Introspection.didCancel(subscription:) by default",
      Blind.didCancel(subscription:) as (Blind) -> (any Subscription) -> Void)
    Use("_Introspection.enable()", I.enable as (I) -> () -> Void)
    Use("_Introspection.disable()", I.disable as (I) -> () -> Void)
    Use("_Introspection.isEnabled", \.isEnabled as KeyPath<I, Bool>)
  }
}
