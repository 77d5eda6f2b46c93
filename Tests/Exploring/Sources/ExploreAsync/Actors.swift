import Streams
import StreamsExtras

struct Fault: Error {}

/// What is handed to a task here stays on the one thread there is.
struct Sent<Value>: @unchecked Sendable {  // see above
  let value: Value
  init(_ value: Value) { self.value = value }
}

actor Ledger {
  private(set) var entries: [Int] = []
  private(set) var late = 0
  private var isStopped = false
  private var subscription: AnyCancellable?

  func listen(to subject: Sent<PassthroughSubject<Int, Never>>) {
    subscription = subject.value.sink { number in self.take(number) }
  }

  func listenOn(to subject: Sent<PassthroughSubject<Int, Never>>) {
    subscription = subject.value.sink(on: self) { home, number in home.take(number) }
  }

  func stop() {
    subscription?.cancel()
    isStopped = true
  }

  private func take(_ number: Int) {
    preconditionIsolated()
    entries.append(number)
    if isStopped { late += 1 }
  }
}

/// What a story comes to.
final class Log: @unchecked Sendable {  // one thread only
  private(set) var entries: [Int] = []
  private(set) var isOver = false
  private var tasks: [Task<Void, Never>] = []

  func add(_ entry: Int) { entries.append(entry) }
  func end() { isOver = true }
  func cancel() { for task in tasks { task.cancel() } }
  func task(_ body: @escaping @Sendable () async -> Void) { tasks.append(Task { await body() }) }

  /// Asks an actor, when all is quiet.
  func read<Value>(_ body: @escaping @Sendable () async -> Value) -> Value {
    let answer = Box<Value>()
    Task { answer.value = await body() }
    SeededJobs.shared.drain()
    return answer.value!
  }
}

final class Box<Value>: @unchecked Sendable {  // one thread only
  var value: Value?
}

/// A subscriber that asks for one more when it is told to.
final class Gauge: Subscriber {
  private let subscription = Sent(Box<any Subscription>())
  private(set) var entries: [Int] = []
  private(set) var completions = 0
  private(set) var late = 0
  private var isCancelled = false

  func receive(subscription: any Subscription) { self.subscription.value.value = subscription }

  func receive(_ number: Int) -> Subscribers.Demand {
    entries.append(number)
    if isCancelled { late += 1 }
    return .none
  }

  func receive(completion _: Subscribers.Completion<Never>) { completions += 1 }

  func ask() { subscription.value.value?.request(.max(1)) }

  func cancel() {
    subscription.value.value?.cancel()
    isCancelled = true
  }
}
