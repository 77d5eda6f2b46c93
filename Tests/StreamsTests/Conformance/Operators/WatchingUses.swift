import Streams

enum WatchingUses<P: Publisher & SendableMetatype>: Family {
  static var operators: [Use] {
    Use(
      "print(_:to:)", P.print(_:to:) as (P) -> (String, (any TextOutputStream)?) -> Publishers.Print<P>,
      defaults: { (p: P) in (p.print(), p.print("name")) })
    Use(
      "handleEvents(receiveSubscription:receiveOutput:receiveCompletion:receiveCancel:receiveRequest:)",
      P.handleEvents(receiveSubscription:receiveOutput:receiveCompletion:receiveCancel:receiveRequest:)
        as (P) -> (
          ((any Subscription) -> Void)?, ((P.Output) -> Void)?,
          ((Subscribers.Completion<P.Failure>) -> Void)?, (() -> Void)?, ((Subscribers.Demand) -> Void)?
        ) -> Publishers.HandleEvents<P>,
      defaults: { (p: P) in
        (p.handleEvents(), p.handleEvents(receiveOutput: { _ in }), p.handleEvents(receiveCancel: {}))
      })
    Use(
      "breakpoint(receiveSubscription:receiveOutput:receiveCompletion:)",
      P.breakpoint(receiveSubscription:receiveOutput:receiveCompletion:)
        as (P) -> (
          ((any Subscription) -> Bool)?, ((P.Output) -> Bool)?, ((Subscribers.Completion<P.Failure>) -> Bool)?
        ) -> Publishers.Breakpoint<P>,
      defaults: { (p: P) in (p.breakpoint(), p.breakpoint(receiveOutput: { _ in false })) })
    Use("breakpointOnError()", P.breakpointOnError as (P) -> () -> Publishers.Breakpoint<P>)
  }

  static var types: [Use] {
    Use("Publishers.Print", publishes(Publishers.Print<P>.self, P.Output.self, P.Failure.self))
    Use("Publishers.HandleEvents", publishes(Publishers.HandleEvents<P>.self, P.Output.self, P.Failure.self))
    Use("Publishers.Breakpoint", publishes(Publishers.Breakpoint<P>.self, P.Output.self, P.Failure.self))
  }

  static var members: [Use] {
    Use("Publishers.Print.prefix", \.prefix as KeyPath<Publishers.Print<P>, String>)
    Use("Publishers.Print.upstream", \.upstream as KeyPath<Publishers.Print<P>, P>)
    Use("Publishers.Print.stream", \.stream as KeyPath<Publishers.Print<P>, (any TextOutputStream)?>)
    Use(
      "Publishers.Print.init(upstream:prefix:to:)",
      Publishers.Print<P>.init(upstream:prefix:to:)
        as (P, String, (any TextOutputStream)?) -> Publishers.Print<P>,
      defaults: { (p: P) in Publishers.Print(upstream: p, prefix: "name") })
    Use("Publishers.HandleEvents.upstream", \.upstream as KeyPath<Publishers.HandleEvents<P>, P>)
    Use(
      "Publishers.HandleEvents.receiveSubscription",
      \.receiveSubscription as KeyPath<Publishers.HandleEvents<P>, ((any Subscription) -> Void)?>)
    Use(
      "Publishers.HandleEvents.receiveOutput",
      \.receiveOutput as KeyPath<Publishers.HandleEvents<P>, ((P.Output) -> Void)?>)
    Use(
      "Publishers.HandleEvents.receiveCompletion",
      \.receiveCompletion
        as KeyPath<Publishers.HandleEvents<P>, ((Subscribers.Completion<P.Failure>) -> Void)?>)
    Use(
      "Publishers.HandleEvents.receiveCancel",
      \.receiveCancel as KeyPath<Publishers.HandleEvents<P>, (() -> Void)?>)
    Use(
      "Publishers.HandleEvents.receiveRequest",
      \.receiveRequest as KeyPath<Publishers.HandleEvents<P>, ((Subscribers.Demand) -> Void)?>)
    Use(
      "Publishers.HandleEvents.init(upstream:receiveSubscription:receiveOutput:receiveCompletion:receiveCancel:receiveRequest:)",
      Publishers.HandleEvents<P>.init(
        upstream:receiveSubscription:receiveOutput:receiveCompletion:receiveCancel:receiveRequest:)
        as (
          P, ((any Subscription) -> Void)?, ((P.Output) -> Void)?,
          ((Subscribers.Completion<P.Failure>) -> Void)?, (() -> Void)?, ((Subscribers.Demand) -> Void)?
        ) -> Publishers.HandleEvents<P>,
      defaults: { (p: P) in Publishers.HandleEvents(upstream: p, receiveRequest: { _ in }) })
    Use("Publishers.Breakpoint.upstream", \.upstream as KeyPath<Publishers.Breakpoint<P>, P>)
    Use(
      "Publishers.Breakpoint.receiveSubscription",
      \.receiveSubscription as KeyPath<Publishers.Breakpoint<P>, ((any Subscription) -> Bool)?>)
    Use(
      "Publishers.Breakpoint.receiveOutput",
      \.receiveOutput as KeyPath<Publishers.Breakpoint<P>, ((P.Output) -> Bool)?>)
    Use(
      "Publishers.Breakpoint.receiveCompletion",
      \.receiveCompletion as KeyPath<Publishers.Breakpoint<P>, ((Subscribers.Completion<P.Failure>) -> Bool)?>
    )
    Use(
      "Publishers.Breakpoint.init(upstream:receiveSubscription:receiveOutput:receiveCompletion:)",
      Publishers.Breakpoint<P>.init(upstream:receiveSubscription:receiveOutput:receiveCompletion:)
        as (
          P, ((any Subscription) -> Bool)?, ((P.Output) -> Bool)?,
          ((Subscribers.Completion<P.Failure>) -> Bool)?
        ) -> Publishers.Breakpoint<P>, defaults: { (p: P) in Publishers.Breakpoint(upstream: p) })
  }
}
