/// What was sent, as far as it is kept, and who reads it.
///
/// Each reader gets what was kept when it came, and then all that is sent, in the same order as every other.
@usableFromInline
// Sendable: what varies is touched inside the reception only.
final class Archive<Output, Failure: Error>: @unchecked Sendable {
  @usableFromInline
  enum Event {
    case value(Output)
    case completion(Subscribers.Completion<Failure>)
    case join(Reader<Output, Failure>)
    case leave(Reader<Output, Failure>)
    case abandon
  }

  @usableFromInline let size: Int
  /// Answers whether something that is put in now is too old, whenever it is asked; `nil` if nothing ever is.
  @usableFromInline let age: (() -> () -> Bool)?
  @usableFromInline let reception = Reception<Event>()

  @exclusivity(unchecked)  // inside the reception only, as all that follows
  @usableFromInline var kept = Fifo<(value: Output, isOld: (() -> Bool)?)>()
  @exclusivity(unchecked)
  @usableFromInline var readers: ContiguousArray<Reader<Output, Failure>> = []
  @exclusivity(unchecked)
  @usableFromInline var ending: Subscribers.Completion<Failure>?

  @usableFromInline
  init(size: Int, age: (() -> () -> Bool)?) {
    if size < 0 { Violation.negativeCount("the size of a buffer", size) }
    self.size = size
    self.age = age
  }

  /// Has `event` handled after all that came before: also when it comes from inside a delivery.
  @inlinable
  func perform(_ event: Event) {
    switch reception.gate.enter() {
    case .entered:
      handle(event)
      serve()
    case .nested, .busy: if reception.leaveBehind(event) { serve() }
    }
  }

  @inlinable
  func serve() {
    reception.serve {
      handle($0)
    } tidy: {
    }
  }

  @inlinable
  func handle(_ event: Event) {
    switch event {
    case .value(let value): if ending == nil { keep(value) }
    case .completion(let completion): end(completion)
    case .join(let reader): join(reader)
    case .leave(let reader): readers.removeAll { $0 === reader }
    case .abandon: readers = []
    }
  }

  @inlinable
  func keep(_ value: Output) {
    let oldest = kept.count >= size ? kept.popFirst() : nil
    if size > 0 { kept.append((value, age?())) }
    for reader in readers { reader.take(value) }
    withExtendedLifetime(oldest) {}
  }

  @inlinable
  func end(_ completion: Subscribers.Completion<Failure>) {
    guard ending == nil else { return }
    ending = completion
    let everyone = readers
    readers = []
    for reader in everyone { reader.end(completion) }
  }

  @inlinable
  func join(_ reader: Reader<Output, Failure>) {
    kept.dropFirst { $0.isOld?() ?? false }
    kept.forEach { reader.take($0.value) }
    if let ending { reader.end(ending) } else { readers.append(reader) }
  }
}

extension Archive {
  /// Hands `downstream` its subscription and all that is kept.
  @inlinable
  func admit<Downstream: Subscriber<Output, Failure>>(_ downstream: Downstream, as name: String) {
    let desk = Desk(name, to: downstream)
    let reader = Reader<Output, Failure>(
      take: { desk.bring($0) },
      end: { completion in desk.run { desk.finish(completion, afterAll: true) } })
    // The desk does not hold the archive, nor the reader that holds it.
    desk.keep(
      Departing { [weak self, weak reader] in
        if let self, let reader { self.perform(.leave(reader)) }
      })
    downstream.receive(subscription: desk)
    perform(.join(reader))
  }
}

/// The way to one subscriber of an ``Archive``.
@usableFromInline
final class Reader<Output, Failure: Error> {
  @usableFromInline let take: (Output) -> Void
  @usableFromInline let end: (Subscribers.Completion<Failure>) -> Void

  @inlinable
  init(
    take: @escaping (Output) -> Void, end: @escaping (Subscribers.Completion<Failure>) -> Void
  ) {
    self.take = take
    self.end = end
  }
}

/// Does something when cancelled, and nothing when let go of.
@usableFromInline
package struct Departing: Cancellable {
  private let action: () -> Void

  @usableFromInline package init(_ action: @escaping () -> Void) { self.action = action }

  @usableFromInline package func cancel() { action() }
}

extension Fifo {
  /// Takes from the front what `isSpent`.
  @inlinable
  mutating func dropFirst(while isSpent: (Element) -> Bool) {
    while let first, isSpent(first) { _ = popFirst() }
  }
}

extension Archive: Reflected {}
