import Streams

// Chains of all kinds of engines, as applications have them. That they compile is the test: the optimiser has crashed
// on five stages in one function.

public func search(
  _ text: PassthroughSubject<String, Never>, _ find: @escaping (String) -> AnyPublisher<[String], any Error>,
  on scheduler: some Scheduler, _ show: @escaping ([String]) -> Void
) -> AnyCancellable {
  text
    .map { (text: String) in text.lowercased() }
    .debounce(for: .milliseconds(300), scheduler: scheduler)
    .removeDuplicates()
    .filter { (text: String) in !text.isEmpty }
    .handleEvents(receiveOutput: { (_: String) in })
    .map { (text: String) in find(text).retry(2).replaceError(with: []) }
    .switchToLatest()
    .receive(on: scheduler)
    .scan([String]()) { (all: [String], found: [String]) in all + found }
    .share()
    .dropFirst()
    .sink(receiveValue: show)
}

public func form(
  _ name: CurrentValueSubject<String, Never>, _ age: CurrentValueSubject<Int, Never>,
  _ ready: PassthroughSubject<Bool, Never>, _ receive: @escaping (Bool) -> Void
) -> AnyCancellable {
  name
    .removeDuplicates()
    .prefix(while: { (name: String) in name != "stop" })
    .combineLatest(age.removeDuplicates().dropFirst().scan(0) { (_: Int, age: Int) in age })
    .map { (name: String, age: Int) in !name.isEmpty && age > 17 }
    .removeDuplicates()
    .merge(with: ready.compactMap { (isReady: Bool) -> Bool? in isReady ? true : nil }.prefix(3))
    .handleEvents(receiveOutput: { (_: Bool) in })
    .drop(while: { (isValid: Bool) in !isValid })
    .sink(receiveValue: receive)
}

public func pages(
  _ first: Just<Int>, _ page: @escaping (Int) -> AnyPublisher<[Int], any Error>,
  _ receive: @escaping ([Int]) -> Void
) -> AnyCancellable {
  first
    .setFailureType(to: (any Error).self)
    .flatMap { (number: Int) in page(number).catch { (_: any Error) in Just([Int]()) } }
    .append([[1], [2]].publisher.setFailureType(to: (any Error).self))
    .flatMap { (numbers: [Int]) in numbers.publisher.setFailureType(to: (any Error).self) }
    .scan(0) { (sum: Int, number: Int) in sum &+ number }
    .removeDuplicates()
    .buffer(size: 8, prefetch: .byRequest, whenFull: .dropOldest)
    .collect(4)
    .retry(1)
    .catch { (_: any Error) in Just([Int]()) }
    .last()
    .sink(receiveValue: receive)
}

public func sixteen(
  _ subject: PassthroughSubject<Int, Never>, _ receive: @escaping (Int) -> Void
) -> AnyCancellable {
  let four =
    subject
    .scan(0) { (sum: Int, value: Int) in sum &+ value }
    .removeDuplicates()
    .prefix(while: { (value: Int) in value != 9 })
    .handleEvents(receiveOutput: { (_: Int) in })
  let eight =
    four
    .dropFirst(1)
    .compactMap { (value: Int) -> Int? in value == 3 ? nil : value }
    .scan(1) { (product: Int, value: Int) in product &* value }
    .removeDuplicates()
  let twelve =
    eight
    .prefix(while: { (value: Int) in value != 7 })
    .handleEvents(receiveOutput: { (_: Int) in })
    .drop(while: { (value: Int) in value < 0 })
    .scan(0) { (sum: Int, value: Int) in sum ^ value }
  return
    twelve
    .removeDuplicates()
    .prefix(1_000)
    .handleEvents(receiveOutput: { (_: Int) in })
    .dropFirst(2)
    .sink(receiveValue: receive)
}
