/// One upstream's way into a ``Desk``.
@usableFromInline
final class DeskInlet<Input, Failure: Error>: Subscriber {
  @usableFromInline let desk: Bureau
  @usableFromInline let link: DeskLink
  @usableFromInline let take: (Input) -> Void
  @usableFromInline let ended: (Subscribers.Completion<Failure>) -> Void

  @inlinable
  init(
    _ desk: Bureau, _ link: DeskLink, take: @escaping (Input) -> Void,
    ended: @escaping (Subscribers.Completion<Failure>) -> Void
  ) {
    self.desk = desk
    self.link = link
    self.take = take
    self.ended = ended
  }

  @inlinable
  func receive(subscription: any Subscription) { link.arrive(with: subscription, at: desk) }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    guard link.upstream.isLive else { return .none }
    switch desk.reception.enter() {
    case .entered:
      let more = accept(input)
      desk.serve()
      return more
    case .nested: return accept(input)
    case .busy:
      leaveBehind(input)
      return .none
    }
  }

  @inlinable
  func leaveBehind(_ input: Input) {
    let isMine = desk.reception.leaveBehind(
      .signal {
        let more = self.accept(input)
        if more > .none { self.link.upstream.request(more) }
      })
    if isMine { desk.serve() }
  }

  /// Inside the reception. What the upstream is asked for meanwhile is the answer.
  @inlinable @inline(__always)
  func accept(_ input: Input) -> Subscribers.Demand {
    guard !desk.isOver, !link.isCut, link.spend() else { return .none }
    if link.owed == .max {
      take(input)
      return .none
    }
    let outer = link.answer
    link.answer = Subscribers.Demand.none
    take(input)
    if desk.lead === link { desk.askLead() }
    let more = link.answer ?? .none
    link.answer = outer
    return link.isCut || desk.isOver ? .none : more
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    guard link.upstream.endOnce() else { return }
    switch desk.reception.enter() {
    case .entered:
      end(completion)
      desk.serve()
    case .nested: end(completion)
    case .busy: desk.run { self.end(completion) }
    }
  }

  /// Inside the reception.
  @inlinable
  func end(_ completion: Subscribers.Completion<Failure>) {
    if desk.hasEnded(link) { ended(completion) }
  }

  @usableFromInline
  var combineIdentifier: CombineIdentifier { CombineIdentifier(link) }
}

extension DeskInlet: ReflectedByName {
  @usableFromInline var description: String { desk.description }
}
