import Foundation
import Streams

private final class Log: TextOutputStream {
  private(set) var lines: [String] = []

  func write(_ string: String) {
    let line = string.trimmingCharacters(in: .newlines)
    if !line.isEmpty { lines.append(line) }
  }
}

private enum Fault: Error { case broken }

extension Publisher {
  fileprivate func trace(_ name: String) -> some Publisher<Output, Failure> {
    handleEvents(
      receiveSubscription: { _ in Swift.print(name, "subscription") },
      receiveOutput: { Swift.print(name, "output", $0) },
      receiveCompletion: { completion in
        switch completion {
        case .finished: Swift.print(name, "finished")
        case .failure: Swift.print(name, "failed")
        }
      },
      receiveCancel: { Swift.print(name, "cancelled") },
      receiveRequest: { Swift.print(name, "request", $0) })
  }
}

@MainActor
func debugging() async {
  var bag: [AnyCancellable] = []
  [1, 2].publisher.print().sink { _ in }.store(in: &bag)
  (1...3).publisher.print("prefixed").map { $0 * 2 }.first { $0 > 2 }.sink { _ in }.store(in: &bag)

  let subject = PassthroughSubject<Int, Fault>()
  let log = Log()
  let traced = subject.print("log", to: log)
    .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
  subject.send(1)
  traced.cancel()
  subject.send(2)
  log.lines.forEach { print("in the log,", $0) }

  subject.trace("subject").sink(receiveCompletion: { _ in }, receiveValue: { _ in }).store(in: &bag)
  subject.send(3)
  subject.send(completion: .failure(.broken))

  let cut = CurrentValueSubject<Int, Never>(0)
  cut.trace("cut").prefix { $0 < 2 }.sink { print("prefix:", $0) }.store(in: &bag)
  cut.send(1)
  cut.send(2)

  (1...3).publisher
    .breakpoint(receiveOutput: { $0 > 3 })
    .breakpointOnError()
    .sink { print("no breakpoint at", $0) }
    .store(in: &bag)

  print(Subscribers.Demand.unlimited, Subscribers.Demand.max(2), Subscribers.Demand.none)
  print(Subscribers.Completion<Never>.finished)
  var loads = 0
  Just("page")
    .handleEvents(receiveOutput: { _ in loads += 1 })
    .sink { print($0, "loaded \(loads) time") }
    .store(in: &bag)

  // Names of subscriptions, as print() shows them.
  Just(1).map { $0 }.print("just").sink { _ in }.store(in: &bag)
  PassthroughSubject<Int, Never>().print("passthrough").sink { _ in }.store(in: &bag)
  CurrentValueSubject<Int, Never>(1).filter { $0 > 1 }.print("current").sink { _ in }.store(in: &bag)
  Optional(1).publisher.print("optional").sink { _ in }.store(in: &bag)
  Empty<Int, Never>().print("empty").sink { _ in }.store(in: &bag)
  while !bag.isEmpty { bag.removeFirst().cancel() }
}
