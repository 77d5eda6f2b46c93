import Foundation
import Streams

private struct Profile: CustomStringConvertible {
  let name: String, age: Int
  var description: String { "\(name), \(age)" }
}

private func show<P: Publisher>(_ name: String, _ publisher: P) -> AnyCancellable {
  publisher.sink(
    receiveCompletion: {
      if case .finished = $0 { print("\(name): end") } else { print("\(name): failure") }
    },
    receiveValue: { print("\(name):", $0) })
}

private struct Failed: Error {}

@MainActor
func joining() async {
  var bag = Set<AnyCancellable>()

  let names = PassthroughSubject<String, Never>()
  let ages = PassthroughSubject<Int, Never>()
  names.zip(ages).map(Profile.init).sink { print("zip:", $0) }.store(in: &bag)
  names.combineLatest(ages) { Profile(name: $0, age: $1) }.sink { print("latest:", $0) }.store(in: &bag)
  names.merge(with: ages.map(String.init)).sink { print("merge:", $0) }.store(in: &bag)
  names.send("Ada")
  names.send("Grace")
  ages.send(36)
  ages.send(85)
  names.send(completion: .finished)
  ages.send(1)
  ages.send(completion: .finished)

  show("zip3", Publishers.Zip3((1...3).publisher, "ab".publisher, [true, false, true].publisher))
    .store(in: &bag)
  show("zip with", (1...2).publisher.zip((3...4).publisher, (5...6).publisher) { $0 * $1 * $2 }).store(
    in: &bag)
  show("latest of sequences", (1...2).publisher.combineLatest((8...9).publisher).map { "\($0)\($1)" })
    .store(in: &bag)
  show("merge3", Publishers.Merge3([1].publisher, [2, 3].publisher, Empty())).store(in: &bag)
  show("merge many", Publishers.MergeMany((1...3).map { Just($0 * 10) })).store(in: &bag)
  show("merge many of a list", Publishers.MergeMany(Just(1), Just(2)).collect()).store(in: &bag)

  show("append", (1...2).publisher.append(3, 4).append([5]).append(Just(6)).collect()).store(in: &bag)
  show("prepend", (1...2).publisher.prepend(-1, 0).prepend([-2]).prepend(Just(-3)).collect()).store(in: &bag)
  let hot = PassthroughSubject<Int, Never>()
  let gate = PassthroughSubject<Int, Never>()
  show("append hot", gate.append(hot)).store(in: &bag)
  hot.send(1)
  gate.send(0)
  gate.send(completion: .finished)
  hot.send(2)
  show("loading", hot.map { "loaded \($0)" }.prepend("loading")).store(in: &bag)
  hot.send(3)

  show("zip of a failure", Just(1).setFailureType(to: Failed.self).zip(Fail<Int, Failed>(error: Failed())))
    .store(in: &bag)

  let inner = [PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()]
  let outer = PassthroughSubject<PassthroughSubject<Int, Never>, Never>()
  outer.switchToLatest().sink { print("switched:", $0) }.store(in: &bag)
  outer.flatMap { $0 }.sink { print("flat:", $0) }.store(in: &bag)
  outer.send(inner[0])
  inner[0].send(1)
  outer.send(inner[1])
  inner[0].send(2)
  inner[1].send(3)

  let open = PassthroughSubject<Void, Never>()
  let close = PassthroughSubject<Void, Never>()
  show("between", hot.drop(untilOutputFrom: open).prefix(untilOutputFrom: close)).store(in: &bag)
  hot.send(4)
  open.send()
  hot.send(5)
  close.send()
  hot.send(6)

  // All of a list of publishers, in the order of the list.
  let all = [3, 1, 2].map { Just($0).eraseToAnyPublisher() }
    .reduce(Just([Int]()).eraseToAnyPublisher()) { all, next in
      all.zip(next).map { $0 + [$1] }.eraseToAnyPublisher()
    }
  show("all", all).store(in: &bag)
}
