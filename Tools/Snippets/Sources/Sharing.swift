import Foundation
import Streams

@MainActor
func sharing() async {
  var cancellables = Set<AnyCancellable>()

  // Without share() each subscriber does the work again.
  let source = PassthroughSubject<Int, Never>()
  let squares = source.map { value -> Int in
    print("squaring \(value)")
    return value * value
  }
  let shared = squares.share()
  shared.sink { print("first:", $0) }.store(in: &cancellables)
  shared.sink { print("second:", $0) }.store(in: &cancellables)
  source.send(2)
  source.send(3)

  // A synchronous source has ended before the second subscriber comes.
  let once = (1...2).publisher.share()
  once.sink(receiveCompletion: { print("early", $0) }, receiveValue: { print("early", $0) })
    .store(in: &cancellables)
  once.sink(receiveCompletion: { print("late", $0) }, receiveValue: { print("late", $0) })
    .store(in: &cancellables)

  // Connecting by hand lets all subscribe first.
  let connectable = ["a", "b"].publisher.print("letters").makeConnectable()
  connectable.sink { print("one:", $0) }.store(in: &cancellables)
  connectable.map { $0.uppercased() }.sink { print("two:", $0) }.store(in: &cancellables)
  connectable.connect().store(in: &cancellables)

  // A multicast subject that replays.
  let latest = source.multicast(subject: CurrentValueSubject(0)).autoconnect()
  latest.sink { print("latest:", $0) }.store(in: &cancellables)
  source.send(4)
  latest.sink { print("latest, too:", $0) }.store(in: &cancellables)

  // The factory runs once.
  var subjects = 0
  let multicast = source.multicast { () -> PassthroughSubject<Int, Never> in
    subjects += 1
    return PassthroughSubject()
  }
  multicast.sink { print("multicast:", $0) }.store(in: &cancellables)
  multicast.sink { _ in }.store(in: &cancellables)
  let connection = multicast.connect()
  source.send(5)
  connection.cancel()
  source.send(6)
  print("subjects:", subjects)

  // share() connects with the first subscriber, and lets go with the last.
  let counted =
    source
    .handleEvents(
      receiveSubscription: { _ in print("connected") }, receiveCancel: { print("disconnected") }
    )
    .share()
    .eraseToAnyPublisher()
  let one = counted.sink { _ in }
  let two = counted.sink { _ in }
  one.cancel()
  print("one is left")
  two.cancel()
  let three = counted.sink { print("again:", $0) }
  cancellables.removeAll()
  source.send(7)
  three.cancel()

  // An event bus.
  await EventBus.check()
}

private final class EventBus {
  enum Event { case opened(String), closed }

  private let subject = PassthroughSubject<Event, Never>()
  private(set) lazy var events = subject.share().eraseToAnyPublisher()

  func publish(_ event: Event) { subject.send(event) }

  @MainActor
  static func check() async {
    let bus = EventBus()
    var opened: [String] = []
    let names = bus.events
      .compactMap { event -> String? in
        guard case .opened(let name) = event else { return nil }
        return name
      }
      .sink { opened.append($0) }
    let ends = bus.events.filter { if case .closed = $0 { true } else { false } }.first()
      .sink { _ in print("closed after \(opened)") }
    bus.publish(.opened("a"))
    bus.publish(.opened("b"))
    bus.publish(.closed)
    bus.publish(.closed)
    names.cancel()
    ends.cancel()
  }
}
