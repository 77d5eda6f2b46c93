import Foundation
import Streams

private final class Owner {
  private var cancellables = Set<AnyCancellable>()
  private let name: String

  init(_ name: String, _ source: PassthroughSubject<Int, Never>) {
    self.name = name
    source
      .handleEvents(receiveCancel: { print("\(name) cancelled") })
      .sink { [weak self] in self?.show($0) }
      .store(in: &cancellables)
  }

  private func show(_ value: Int) { print("\(name) got \(value)") }

  deinit { print("\(name) is gone") }
}

private final class Screen {
  private var task: AnyCancellable?
  private(set) var loads = 0

  func reload(_ source: some Publisher<Int, Never>) {
    // The old one is cancelled as it is replaced.
    task = source.sink { [unowned self] in loads += $0 }
  }

  func stop() { task?.cancel() }
}

private protocol Coordinator: AnyObject { var bag: Set<AnyCancellable> { get set } }

extension Coordinator {
  func present(_ closed: AnyPublisher<Void, Never>, _ name: String) {
    closed.first().sink { [weak self] in print("\(name) closed, \(self?.bag.count ?? 0) in the bag") }
      .store(in: &bag)
  }
}

private final class AppCoordinator: Coordinator { var bag = Set<AnyCancellable>() }

@MainActor
func lifetimes() async {
  let source = PassthroughSubject<Int, Never>()
  var owner: Owner? = Owner("owner", source)
  source.send(1)
  print("there is one:", owner != nil)
  owner = nil
  source.send(2)

  // Dropped at once: dead.
  _ = source.sink { print("never", $0) }
  source.send(3)

  do {
    let scoped = source.sink { print("scoped got \($0)") }
    source.send(4)
    withExtendedLifetime(scoped) {}
  }
  source.send(5)

  let screen = Screen()
  screen.reload(source)
  screen.reload(source)
  source.send(10)
  screen.stop()
  source.send(10)
  print("loads:", screen.loads)

  var list = [AnyCancellable]()
  var dictionary: [String: AnyCancellable] = [:]
  for key in ["a", "b"] { dictionary[key] = source.sink { print("\(key):", $0) } }
  source.sink { print("list:", $0) }.store(in: &list)
  source.send(6)
  dictionary["a"] = nil
  list.removeAll()
  source.send(7)
  dictionary.values.forEach { $0.cancel() }
  source.send(8)

  let cleanup = AnyCancellable { print("cleaned up") }
  cleanup.cancel()
  cleanup.cancel()
  var set: Set = [cleanup, AnyCancellable { print("cleaned up by the set") }]
  print(set.count, set.contains(cleanup))
  set.removeAll()

  let coordinator = AppCoordinator()
  let close = PassthroughSubject<Void, Never>()
  coordinator.present(close.eraseToAnyPublisher(), "sheet")
  close.send()
  close.send()

  // A subscription that ends itself.
  var itself: AnyCancellable?
  itself = source.sink { value in
    print("once: \(value)")
    itself?.cancel()
    itself = nil
  }
  source.send(9)
  source.send(10)
}
