import Streams
import StreamsTesting
import Testing

/// Every terminal in every kind of home, with values from eight threads.
@Suite("Isolation of every terminal operator", .leavesNothing)
struct IsolationMatrixTests {
  /// All but a task that belongs nowhere: it runs while it is cancelled.
  private static let cancellations = Home.all.flatMap { home in
    Terminal.allCases.filter { home.actor != nil || $0 != .values }.map { (home, $0) }
  }

  @Test(
    "A terminal operator receives every value in its isolation, in each sender's order", arguments: Home.all,
    Terminal.allCases)
  func delivers(home: Home, terminal: Terminal) async {
    let subject = PassthroughSubject<Int, Never>()
    let notes = Notes(home.actor)
    let cancellable = await terminal.follow(subject, notes, on: home.actor)

    sendFromEightThreads(subject)
    let seen = await notes.recorder.received(800)

    #expect(seen.count == 800)
    for sender in 0..<8 {
      #expect(seen.filter { $0 / 1000 == sender } == (0..<100).map { sender * 1000 + $0 })
    }
    #expect(notes.strangers == 0)
    cancellable.cancel()
  }

  @Test(
    "A terminal operator receives no value after a cancellation in its isolation", arguments: cancellations)
  func cancelled(home: Home, terminal: Terminal) async {
    let subject = PassthroughSubject<Int, Never>()
    let (notes, witness) = (Notes(home.actor), Notes(home.actor))

    // Nobody else runs on the actor meanwhile: what is sent to it is on its way when the cancellation comes.
    let (before, staying) = await onHome(home.actor) { isolation in
      let leaving = terminal.follow(subject, notes, on: isolation)
      let staying = Terminal.sink.follow(subject, witness, on: isolation)
      sendFromEightThreads(subject)
      leaving.cancel()
      return (notes.recorder.values.count, staying)
    }
    sendFromEightThreads(subject)
    _ = await witness.recorder.received(1600)

    #expect(before == (home.actor == nil ? 800 : 0))
    #expect(notes.recorder.values.count == before)
    #expect(notes.strangers + witness.strangers == 0)
    staying.cancel()
  }

  @Test(
    "The closure of an `AnyCancellable` runs once in its isolation when threads cancel concurrently",
    arguments: Home.all)
  func cancels(home: Home) async {
    let notes = Notes(home.actor)
    let cancellable = await cancellable(notes, on: home.actor)
    let cancel: @Sendable () -> Void = { cancellable.cancel() }

    race(cancel, cancel, cancel, cancel, cancel, cancel, cancel, cancel)
    let seen = await notes.recorder.received(1)

    #expect(seen == [0])
    #expect(notes.strangers == 0)
  }

  @Test("A closure of a class on a custom global actor runs on that actor")
  func globalActor() async {
    let subject = PassthroughSubject<Int, Never>()
    let notes = Notes(Kitchen.shared)
    let cook = await Cook(notes, subject)

    sendFromEightThreads(subject)
    _ = await notes.recorder.received(800)
    // Each has its own way into the kitchen, so one may be done before the other.
    _ = await cook.assigned.received(800)

    #expect(notes.strangers == 0)
    #expect(await cook.count == 800)
    #expect(await cook.last == notes.recorder.values.last)
    subject.send(completion: .finished)
  }
}

private func sendFromEightThreads(_ subject: PassthroughSubject<Int, Never>) {
  let send: (Int) -> @Sendable () -> Void = { sender in
    { for value in 0..<100 { subject.send(sender * 1000 + value) } }
  }
  race(send(0), send(1), send(2), send(3), send(4), send(5), send(6), send(7))
}

private func cancellable(_ notes: Notes, on isolation: isolated (any Actor)?) -> AnyCancellable {
  AnyCancellable { notes.note(0, on: isolation) }
}

private func onHome<Result: Sendable>(
  _ isolation: isolated (any Actor)?, _ body: @Sendable (isolated (any Actor)?) -> Result
) -> Result {
  body(isolation)
}

/// Where closures belong.
struct Home: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let actor: (any Actor)?

  static let all = [
    Home(testDescription: "the main actor", actor: MainActor.shared),
    Home(testDescription: "a global actor", actor: Kitchen.shared),
    Home(testDescription: "an actor", actor: Lodge()),
    Home(testDescription: "nowhere", actor: nil),
  ]
}

private actor Lodge {}

@globalActor
actor Kitchen {
  static let shared = Kitchen()
}

@Kitchen
private final class Cook {
  nonisolated let assigned = Recorder<Int, Never>()
  private(set) var count = 0
  var last = 0 {
    didSet { _ = assigned.receive(last) }
  }
  private var subscriptions: Set<AnyCancellable> = []

  /// As people write it: nothing says "kitchen" here.
  init(_ notes: Notes, _ subject: PassthroughSubject<Int, Never>) {
    subject.assign(to: \.last, on: self).store(in: &subscriptions)
    subject.sink { [unowned self] value in
      count += 1
      notes.note(value, on: Kitchen.shared)
    }.store(in: &subscriptions)
  }
}
