import Foundation
import Streams

private enum Oops: Error { case one }

private final class Box { var value = 0 }

@MainActor
func terminals() async {
  let sink = Subscribers.Sink<Int, Never>(
    receiveCompletion: { print("sink:", $0) }, receiveValue: { print("sink:", $0) })
  (1...2).publisher.subscribe(sink)

  let cancelled = Subscribers.Sink<Int, Never>(
    receiveCompletion: { _ in print("never") }, receiveValue: { print("before the cancellation:", $0) })
  let subject = PassthroughSubject<Int, Never>()
  subject.subscribe(cancelled)
  subject.send(1)
  cancelled.cancel()
  subject.send(2)
  subject.send(completion: .finished)

  let box = Box()
  let assign = Subscribers.Assign(object: box, keyPath: \.value)
  [3, 4].publisher.subscribe(assign)
  print("assigned:", box.value, assign.object == nil)

  var demand = Subscribers.Demand.max(2)
  demand += .max(3)
  demand -= 1
  print("demand:", demand, demand.max as Any, demand == 4, demand > .none, demand < .unlimited)
  print("arithmetic:", demand * 2, demand + 1, .unlimited - demand, Subscribers.Demand.unlimited.max as Any)

  let completions: [Subscribers.Completion<Oops>] = [.finished, .failure(.one)]
  for completion in completions {
    switch completion {
    case .finished: print("completion: finished")
    case .failure(let error): print("completion: failure", error)
    }
  }
  print("equal:", completions[0] == .finished, completions[1] == .failure(.one))

  _ = Just(1).sink(receiveCompletion: { print("just:", $0) }, receiveValue: { print("just:", $0) })
  _ = Just("x").sink { print($0) }
  _ = Fail<Int, Oops>(error: .one)
    .sink(
      receiveCompletion: { completion in
        guard case .failure(let error) = completion else { return }
        print("failed:", error)
      }, receiveValue: { _ in })

  let relay = PassthroughSubject<Int, Never>()
  let second = CurrentValueSubject<Int, Never>(0)
  let link = relay.subscribe(second)
  relay.send(5)
  link.cancel()
  relay.send(6)
  print("second:", second.value)

  second.send(subscription: Subscriptions.empty)
  Just(7).subscribe(AnySubscriber(second))
  print("second:", second.value)

  let record = Record<Int, Oops> { recording in
    recording.receive(1)
    recording.receive(completion: .failure(.one))
  }
  _ = record.replaceError(with: 0).collect().sink { print("record:", $0) }
  print("recorded:", record.recording.output, record.recording.completion == .failure(.one))

  let current = CurrentValueSubject<Int, Oops>(1)
  current.send(completion: .finished)
  _ = current.sink(
    receiveCompletion: { print("current:", $0 == .finished) }, receiveValue: { print("never", $0) })
  print("last:", current.value)

  print("identifiers differ:", CombineIdentifier() != CombineIdentifier())
  print(Just(1) == Just(1), Empty<Int, Never>() == Empty(), [1].publisher == [1].publisher)
}
