extension MorePublishers {
  /// The publisher of ``Publisher/flatMap(maxConcurrent:waiting:_:)``, ``Publisher/concatMap(waiting:_:)`` and
  /// ``Publisher/flatMapFirst(_:)``.
  public struct QueuedFlatMap<Child: Publisher, Upstream: Publisher>: Publisher
  where Child.Failure == Upstream.Failure {
    public typealias Output = Child.Output
    public typealias Failure = Child.Failure

    @usableFromInline let upstream: Upstream
    @usableFromInline let crowding: Crowding
    @usableFromInline let transform: (Upstream.Output) -> Child

    @inlinable
    init(upstream: Upstream, _ crowding: Crowding, _ transform: @escaping (Upstream.Output) -> Child) {
      self.upstream = upstream
      self.crowding = crowding
      self.transform = transform
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      Desk.start("FlatMap", for: subscriber) { desk in
        let crowd = Crowd(desk, crowding, transform)
        desk.whenAsked { $0.openUpChildren() }
        desk.open(upstream, crowd.outer) {
          crowd.take($0)
        } ended: {
          crowd.endOuter($0)
        }
      }
    }
  }
}

/// How many children there may be at a time, and what becomes of values that come meanwhile.
@frozen @usableFromInline
struct Crowding {
  @usableFromInline let max: Int
  /// How many values may wait; `nil` if they are dropped.
  @usableFromInline let waiting: Subscribers.Demand?
  @usableFromInline let delaysErrors: Bool

  @usableFromInline
  init(_ max: Int, waiting: Subscribers.Demand?, delaysErrors: Bool = false) {
    if max < 1 { Violation.emptyGroup(max) }
    self.max = max
    self.waiting = waiting
    self.delaysErrors = delaysErrors
  }

  /// What the outer upstream is asked for at first.
  @usableFromInline
  var demand: Subscribers.Demand {
    guard let waiting else { return .unlimited }
    return max == .max ? .unlimited : waiting + max
  }
}

/// Children that come and go, and the values that wait for their turn. The desk must not hold it.
@usableFromInline
final class Crowd<Input, Child: Publisher, Downstream: Subscriber>
where Child.Output == Downstream.Input, Child.Failure == Downstream.Failure {
  @usableFromInline let desk: Desk<Downstream>
  @usableFromInline let crowding: Crowding
  @usableFromInline let transform: (Input) -> Child
  @usableFromInline let outer: DeskLink

  @exclusivity(unchecked)  // inside the desk's reception only, as all that follows
  @usableFromInline var pending = Fifo<Input>()
  @exclusivity(unchecked)
  @usableFromInline var openCount = 0
  @exclusivity(unchecked)
  @usableFromInline var isOuterOver = false
  @exclusivity(unchecked)
  @usableFromInline var isFilling = false
  @exclusivity(unchecked)
  @usableFromInline var failure: Child.Failure?

  @inlinable
  init(
    _ desk: Desk<Downstream>, _ crowding: Crowding, _ transform: @escaping (Input) -> Child
  ) {
    self.desk = desk
    self.crowding = crowding
    self.transform = transform
    outer = DeskLink(asking: crowding.demand)
  }

  @inlinable
  func take(_ input: Input) {
    if crowding.waiting == nil, openCount == crowding.max { return }
    pending.append(input)
    fill()
  }

  /// Opens children while there is room. One that ends at once does not deepen the stack (law R1).
  @inlinable
  func fill() {
    if isFilling { return }
    isFilling = true
    while openCount < crowding.max, !desk.isEnding, let input = pending.popFirst() { open(transform(input)) }
    isFilling = false
    if isOuterOver, openCount == 0, pending.isEmpty { finish() }
  }

  @inlinable
  func open(_ child: Child) {
    openCount += 1
    if crowding.max == 1 {
      return desk.follow(child) {
        self.desk.emit($0)
      } ended: {
        self.endChild($0)
      }
    }
    let link = DeskLink(asking: desk.demand.isUnlimited ? .unlimited : .max(1))
    link.isChild = true
    desk.open(child, link) {
      self.desk.emit($0, from: link)
    } ended: {
      self.endChild($0)
    }
  }

  @inlinable
  func endChild(_ completion: Subscribers.Completion<Child.Failure>) {
    openCount -= 1
    note(completion)
    if desk.isEnding { return }
    if crowding.waiting != nil { outer.request(.max(1)) }
    fill()
  }

  @inlinable
  func endOuter(_ completion: Subscribers.Completion<Child.Failure>) {
    isOuterOver = true
    note(completion)
    if !desk.isEnding { fill() }
  }

  @inlinable
  func note(_ completion: Subscribers.Completion<Child.Failure>) {
    guard case .failure(let error) = completion else { return }
    if !crowding.delaysErrors { return desk.finish(completion) }
    failure = failure ?? error
  }

  @inlinable
  func finish() { desk.finish(failure.map { .failure($0) } ?? .finished, afterAll: true) }
}
