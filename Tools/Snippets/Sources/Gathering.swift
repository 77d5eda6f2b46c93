import Foundation
import Streams

private struct Order { let item: String, price: Int }

private struct Broken: Error {}

@MainActor
func gathering() async {
  var bag = Set<AnyCancellable>()
  func show<P: Publisher>(_ name: String, _ publisher: P) where P.Failure == Never {
    publisher.sink { print("\(name):", $0) }.store(in: &bag)
  }

  let orders = [Order(item: "tea", price: 3), Order(item: "milk", price: 2), Order(item: "tea", price: 4)]
    .publisher
  show("totals", orders.map(\.price).scan(0, +))
  show("total", orders.reduce(0) { $0 + $1.price })
  show("items", orders.map(\.item).collect())
  show("of two", orders.map(\.price).collect(2))
  show("count", orders.count())
  show("dearest", orders.max { $0.price < $1.price }.map(\.item))
  show("cheapest", orders.map(\.price).min())
  show("first tea", orders.first { $0.item == "tea" }.map(\.price))
  show("last tea", orders.last { $0.item == "tea" }.map(\.price))
  show("has milk", orders.contains { $0.item == "milk" })
  show("all cheap", orders.allSatisfy { $0.price < 4 })
  show("by item", orders.reduce(into: [:]) { $0[$1.item, default: 0] += $1.price }.map { $0.sorted(by: <) })

  let numbers = PassthroughSubject<Int, Never>()
  show("distinct", numbers.removeDuplicates())
  show("by parity", numbers.removeDuplicates { $0.isMultiple(of: 2) == $1.isMultiple(of: 2) })
  show("pairs", numbers.collect(2))
  show("third", numbers.output(at: 2))
  show("middle", numbers.output(in: 1...2))
  show("without", numbers.dropFirst(2).drop { $0 < 5 })
  show("while", numbers.prefix { $0 < 4 }.last())
  numbers.ignoreOutput().sink(
    receiveCompletion: { print("nothing but the end:", $0) }, receiveValue: { _ in }
  )
  .store(in: &bag)
  show("any five", numbers.contains(5))
  show("all of them", numbers.tryAllSatisfy { $0 > 0 }.replaceError(with: false))
  for number in [1, 1, 3, 4, 6, 5] { numbers.send(number) }
  numbers.send(completion: .finished)

  show("replaceNil", ["1", "x"].publisher.map { Int($0) }.replaceNil(with: 0))
  show("compactMap", ["1", "x", "3"].publisher.compactMap { Int($0) })
  show("flatMap", (1...3).publisher.flatMap { n in Array(repeating: n, count: n).publisher }.collect())
  show("replaceEmpty", Empty<String, Never>().replaceEmpty(with: "none"))
  show("key paths", Just(Order(item: "jam", price: 5)).map(\.item, \.price).map { "\($0) \($1)" })

  let broken = [1, 2].publisher.setFailureType(to: Broken.self).append(Fail(error: Broken()))
  broken.collect().sink(
    receiveCompletion: { if case .failure = $0 { print("a failure drops what was collected") } },
    receiveValue: { print("never", $0) }
  ).store(in: &bag)
  broken.scan(0, +).last().replaceError(with: -1).sink { print("after the failure:", $0) }.store(in: &bag)
}

extension Publisher {
  fileprivate func reduce<T>(into result: T, _ add: @escaping (inout T, Output) -> Void)
    -> Publishers.Reduce<Self, T>
  {
    reduce(result) { partial, value in
      var partial = partial
      add(&partial, value)
      return partial
    }
  }
}
