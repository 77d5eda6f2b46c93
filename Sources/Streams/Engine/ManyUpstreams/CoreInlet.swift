/// Handles the values of one upstream for an ``OperatorCore``.
@usableFromInline
protocol InletHandler {
  associatedtype Input

  func handle(_ input: Input)
}

/// Calls a closure.
@frozen @usableFromInline
struct CallingHandler<Input>: InletHandler {
  @usableFromInline let body: (Input) -> Void

  @inlinable
  init(_ body: @escaping (Input) -> Void) { self.body = body }

  @inlinable @inline(__always)
  func handle(_ input: Input) { body(input) }
}

/// Emits each value: a closure would be one more indirect call.
@frozen @usableFromInline
struct EmittingHandler<Downstream: Subscriber>: InletHandler {
  @usableFromInline let core: OperatorCore<Downstream>

  @inlinable
  init(_ core: OperatorCore<Downstream>) { self.core = core }

  @inlinable @inline(__always)
  func handle(_ input: Downstream.Input) { core.emit(input) }
}

/// The subscriber of one upstream of an ``OperatorCore``.
@usableFromInline
final class CoreInlet<Handler: InletHandler, Failure: Error>: Subscriber {
  @usableFromInline typealias Input = Handler.Input

  @usableFromInline let core: AnyOperatorCore
  @usableFromInline let handle: UpstreamHandle
  @usableFromInline let handler: Handler
  @usableFromInline let onCompletion: (Subscribers.Completion<Failure>) -> Void

  @inlinable
  init(
    _ core: AnyOperatorCore, _ handle: UpstreamHandle, _ handler: Handler,
    onCompletion: @escaping (Subscribers.Completion<Failure>) -> Void
  ) {
    self.core = core
    self.handle = handle
    self.handler = handler
    self.onCompletion = onCompletion
  }

  @inlinable
  func receive(subscription: any Subscription) { core.attach(subscription, to: handle) }

  @inlinable @inline(never)
  func receive(_ input: Input) -> Subscribers.Demand {
    switch core.enter() {
    case .entered:
      let more = handle.isLive ? accept(input) : .none
      core.drainAndLeave()
      return more
    case .nested: return handle.isLive ? accept(input) : .none
    case .busy:
      if handle.isLive { enqueue(input) }
      return .none
    }
  }

  @inlinable @inline(never)
  func enqueue(_ input: Input) {
    let isMine = core.drainLoop.enqueueValue(
      .action { [self] in
        if handle.isCancelled { return }  // and not `isLive`: it may have ended since
        let more = accept(input)
        if more > .none { handle.request(more) }
      })
    if isMine { core.drainAndLeave() }
  }

  /// Handles a value inside the drain loop. Returns the demand for this upstream that is added meanwhile.
  @inlinable @inline(__always)
  func accept(_ input: Input) -> Subscribers.Demand {
    if handle.owed == .max {
      handler.handle(input)
      return .none
    }
    return acceptCounted(input)
  }

  @inlinable
  func acceptCounted(_ input: Input) -> Subscribers.Demand {
    guard handle.spend() else {
      Drops.note(input, by: core.dropper, because: .unrequested)
      return .none
    }
    let outer = handle.answer
    handle.answer = Subscribers.Demand.none
    handler.handle(input)
    if core.primary === handle { core.requestFromPrimary() }
    let more = handle.answer ?? .none
    handle.answer = outer
    return handle.isCancelled || core.isOver ? .none : more
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    guard handle.endOnce() else { return }
    switch core.enter() {
    case .entered:
      end(completion)
      core.drainAndLeave()
    case .nested: end(completion)
    case .busy: core.perform { self.end(completion) }
    }
  }

  /// Inside the drain loop.
  @inlinable
  func end(_ completion: Subscribers.Completion<Failure>) {
    if core.hasEnded(handle) { onCompletion(completion) }
  }

  @usableFromInline
  var combineIdentifier: CombineIdentifier { CombineIdentifier(handle) }
}

extension CoreInlet: InletOfOperator {
  @usableFromInline
  var ownerIdentifier: CombineIdentifier { core.combineIdentifier }
}

/// Combine's operators are one object for both sides, so a publisher may take its subscriber for a subscription.
extension CoreInlet: Subscription {
  @usableFromInline
  func request(_ demand: Subscribers.Demand) { core.request(demand) }

  @usableFromInline
  func cancel() { core.cancel() }
}

extension AnyOperatorCore {
  /// Stores the first subscription, and requests what is due; cancels any other.
  @usableFromInline
  final func attach(_ subscription: any Subscription, to handle: UpstreamHandle) {
    guard !isOver, handle.attach(subscription) else { return subscription.cancel() }
    switch drainLoop.enterInOrder() {
    case .entered:
      open(handle)
      drainAndLeave()
    case .nested: open(handle)
    case .busy: perform { self.open(handle) }
    }
  }

  private final func open(_ handle: UpstreamHandle) {
    handle.open { attachIfDue() }
  }
}

extension CoreInlet: ReflectedByName {
  @usableFromInline var description: String { core.description }
}
