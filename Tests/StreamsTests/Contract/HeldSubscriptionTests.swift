import Streams
import StreamsTesting
import Testing

@Suite("Subscriptions that are structs", .leavesNothing)
struct HeldSubscriptionTests {
  @Test("A struct subscription receives requests and cancellations like an object")
  func works() {
    let journal = Journal()
    let source = StructSource(journal: journal)

    let viaSink = source.sink { _ in }
    let viaStage = source.scan(0, +).removeDuplicates().sink { _ in }
    let viaLink = source.flatMap { _ in Empty<Int, Never>() }.sink { _ in }
    viaSink.cancel()
    viaStage.cancel()
    viaLink.cancel()

    #expect(
      journal.lines == [
        "request unlimited", "request unlimited", "request unlimited", "cancel", "cancel", "cancel",
      ])
  }

  @Test("A struct subscription reaches the subscriber unchanged")
  func identity() {
    let source = StructSource(journal: Journal())

    let recorder = Recorder<Int, Never>(demand: .none)
    source.subscribe(recorder)

    #expect(recorder.subscriptions.first is StructSubscription)
    #expect(recorder.subscriptions.first?.combineIdentifier == source.identifier)
    #expect(recorder.subscriptions.first?._held.combineIdentifier == source.identifier)
    #expect(recorder.subscriptions.first?._held._gate === source.gate)
  }

  @Test("A struct subscription becomes a new object when held, and a class instance stays itself")
  func objects() {
    let subscription = StructSubscription(combineIdentifier: CombineIdentifier(), journal: Journal())
    let empty = Subscriptions.empty

    #expect(empty._held === empty._held)
    #expect(subscription._held !== subscription._held)
  }
}

private struct StructSource: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let journal: Journal
  let identifier = CombineIdentifier()
  let gate = SerialGate()

  func receive(subscriber: some Subscriber<Int, Never>) {
    subscriber.receive(
      subscription: StructSubscription(combineIdentifier: identifier, journal: journal, _gate: gate))
  }
}

private struct StructSubscription: Subscription {
  let combineIdentifier: CombineIdentifier
  let journal: Journal
  var _gate: AnyObject?

  func request(_ demand: Subscribers.Demand) { journal.note("request \(demand)") }
  func cancel() { journal.note("cancel") }
}
