import Dispatch
import StreamsExtras
import StreamsTesting

// A program whose default is the main actor. With the trait `CheckedTransforms`, the compiler finds its mistakes, and the closures
// of transforms belong to no actor: what they pass on runs on any thread.

final class Model {
  var total = 0
  var subscriptions: Set<AnyCancellable> = []

  func follow(_ numbers: PassthroughSubject<[Int], Never>) {
    numbers.handleEvents(receiveOutput: { all in precondition(all.map { $0 + 1 } == [2, 3, 4]) })
      .scan(0) { sum, all in sum + all.filter { $0 > 1 }.count }
      .sink { self.total = $0 }
      .store(in: &subscriptions)
  }
}

#if !MendedOnActor
  @MainActor final class Meter: Subscriber {  // mistake
    func receive(subscription: any Subscription) { subscription.request(.unlimited) }
    func receive(_ numbers: [Int]) -> Subscribers.Demand { .none }
    func receive(completion _: Subscribers.Completion<Never>) {}
  }

  final class Display: Subscriber {
    let model: Model
    init(_ model: Model) { self.model = model }
    func receive(subscription: any Subscription) { subscription.request(.unlimited) }
    func receive(_ numbers: [Int]) -> Subscribers.Demand {
      model.total = numbers.count  // mistake
      return .none
    }
    func receive(completion _: Subscribers.Completion<Never>) {}
  }

  final class Ticket: Subscription {
    let model: Model
    init(_ model: Model) { self.model = model }
    func request(_ demand: Subscribers.Demand) {}
    func cancel() {
      model.total = 0  // mistake
    }
  }
#endif

let (model, numbers) = (Model(), PassthroughSubject<[Int], Never>())
model.follow(numbers)
await Task.detached { numbers.send([1, 2, 3]) }.value
while model.total == 0 { await Task.yield() }
precondition(model.total == 2)

let scheduler = VirtualScheduler.virtual
let delayed = Just(1).delay(for: 1, scheduler: scheduler).asyncMap { $0 + 1 }.record()
#if CheckedTransforms && !MendedOnActor
  await scheduler.advance(by: 1)  // mistake
#endif
func advance() async { await scheduler.advance(by: 1) }
await advance()
precondition(delayed.values == [2])
print("The closures ran on other threads, and tasks were awaited.")
