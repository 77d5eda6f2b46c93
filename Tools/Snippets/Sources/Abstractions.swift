import Foundation
import Streams

protocol UserService {
  func user(_ id: Int) -> AnyPublisher<String, ServiceFailure>
  var changes: AnyPublisher<Int, Never> { get }
}

enum ServiceFailure: Error { case unknown(Int) }

private final class MockService: UserService {
  private let subject = PassthroughSubject<Int, Never>()
  private let users = [1: "Ada", 2: "Grace"]

  var changes: AnyPublisher<Int, Never> { subject.eraseToAnyPublisher() }

  func user(_ id: Int) -> AnyPublisher<String, ServiceFailure> {
    users[id].map { Just($0).setFailureType(to: ServiceFailure.self).eraseToAnyPublisher() }
      ?? Fail(error: .unknown(id)).eraseToAnyPublisher()
  }

  func change(_ id: Int) { subject.send(id) }
}

/// A protocol with an associated publisher.
protocol Feed {
  associatedtype Items: Publisher<String, Never>
  var items: Items { get }
}

private struct Static: Feed {
  var items: some Publisher<String, Never> { ["a", "b"].publisher }
}

private struct Shouting<Base: Feed>: Feed {
  let base: Base
  var items: Publishers.Map<Base.Items, String> { base.items.map { $0.uppercased() } }
}

typealias Stream<Output> = AnyPublisher<Output, Never>
typealias Handler<T> = (T) -> Void

private func evens() -> some Publisher<Int, Never> { (1...6).publisher.filter { $0.isMultiple(of: 2) } }

private func either(_ condition: Bool) -> any Publisher<Int, Never> {
  if condition { Just(1) } else { [2, 3].publisher }
}

private func sum(of numbers: some Publisher<Int, Never>) -> Stream<Int> {
  numbers.reduce(0, +).eraseToAnyPublisher()
}

private func observe<P>(_ publisher: P, _ handler: @escaping Handler<P.Output>) -> AnyCancellable
where P: Publisher, P.Failure == Never {
  publisher.sink(receiveValue: handler)
}

private struct Pipeline<Source: Publisher, Target: Subject>
where Source.Output == Target.Output, Source.Failure == Target.Failure {
  let source: Source
  let target: Target

  func connect() -> AnyCancellable { source.subscribe(target) }
}

private struct Input { let next: AnyPublisher<Void, Never>, previous: AnyPublisher<Void, Never> }
private struct Output { let page: AnyPublisher<Int, Never> }

/// Inputs in, outputs out: how many view models are written.
private struct Pager {
  func transform(_ input: Input) -> Output {
    let steps = input.next.map { 1 }.merge(with: input.previous.map { -1 })
    return Output(page: steps.scan(0) { max($0 + $1, 0) }.prepend(0).removeDuplicates().eraseToAnyPublisher())
  }
}

@MainActor
func abstractions() async {
  var bag = Set<AnyCancellable>()
  let mock = MockService()
  let service: any UserService = mock
  service.changes
    .flatMap { id in service.user(id).catch { _ in Just("nobody") } }
    .sink { print("user:", $0) }
    .store(in: &bag)
  [1, 2, 3].forEach(mock.change)

  Shouting(base: Static()).items.sink { print("item:", $0) }.store(in: &bag)
  observe(evens()) { print("even:", $0) }.store(in: &bag)
  observe(sum(of: evens())) { print("sum:", $0) }.store(in: &bag)
  either(true).sink { print("either:", $0) }.store(in: &bag)
  AnyPublisher(either(false)).map { $0 * 2 }.sink { print("either:", $0) }.store(in: &bag)

  let publishers: [any Publisher<Int, Never>] = [Just(1), evens(), Empty()]
  Publishers.MergeMany(publishers.map { AnyPublisher($0) }).collect().sink { print("all:", $0) }.store(
    in: &bag)

  let target = CurrentValueSubject<Int, Never>(0)
  Pipeline(source: evens(), target: target).connect().store(in: &bag)
  print("target:", target.value)

  let next = PassthroughSubject<Void, Never>(), previous = PassthroughSubject<Void, Never>()
  let output = Pager().transform(
    Input(next: next.eraseToAnyPublisher(), previous: previous.eraseToAnyPublisher()))
  output.page.sink { print("page:", $0) }.store(in: &bag)
  [next, next, previous, previous, previous, next].forEach { $0.send() }

  let twice = evens().eraseToAnyPublisher().eraseToAnyPublisher()
  print(type(of: twice) == AnyPublisher<Int, Never>.self)
}
