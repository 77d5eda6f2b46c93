import Foundation
import Streams

/// An actor that keeps a subscription.
private actor Statistics {
  private var sum = 0
  private var cancellables = Set<AnyCancellable>()
  private nonisolated let totals = CurrentValueSubject<Int, Never>(0)

  nonisolated var total: AnyPublisher<Int, Never> { totals.eraseToAnyPublisher() }

  func observe(_ numbers: PassthroughSubject<Int, Never>) {
    numbers
      .sink { [weak self] number in
        Task { await self?.add(number) }
      }
      .store(in: &cancellables)
  }

  func add(_ number: Int) {
    sum += number
    totals.send(sum)
  }
}

/// State that is shared between threads, with a publisher.
final class Session: Sendable {
  let token = CurrentValueSubject<String?, Never>(nil)
  let events = PassthroughSubject<String, Never>()

  func logIn() async {
    token.send("secret")
    events.send("logged in")
  }
}

@MainActor
private final class Screen {
  private(set) var text = ""
  private var cancellables = Set<AnyCancellable>()

  init(_ session: Session) {
    session.token
      .map { $0 == nil ? "logged out" : "logged in" }
      .sink { [weak self] in self?.text = $0 }
      .store(in: &cancellables)
  }
}

private struct Download: Sendable { let id: Int, progress: Double }

@MainActor
func actors() async {
  let numbers = PassthroughSubject<Int, Never>()
  let statistics = Statistics()
  await statistics.observe(numbers)
  var bag = Set<AnyCancellable>()
  await wait { done in
    statistics.total
      .first { $0 == 6 }
      .sink {
        print("total:", $0)
        done()
      }
      .store(in: &bag)
    (1...3).forEach(numbers.send)
  }

  let session = Session()
  let screen = Screen(session)
  print("screen:", screen.text)
  await wait { done in
    session.events.sink {
      print("event:", $0); done()
    }.store(in: &bag)
    Task { await session.logIn() }
  }
  print("screen:", screen.text)

  let progress = PassthroughSubject<Download, Never>()
  let bars =
    progress
    .filter { $0.id == 1 }
    .map { Int($0.progress * 100) }
    .removeDuplicates()
    .prefix { $0 < 100 }
    .collect()
  await wait { done in
    bars.sink {
      print("bars:", $0); done()
    }.store(in: &bag)
    Task.detached {
      for step in 0...4 {
        progress.send(Download(id: 1, progress: Double(step) / 4))
        progress.send(Download(id: 2, progress: 1))
      }
    }
  }

  let results = await withTaskGroup(of: Int.self) { group in
    for number in 1...3 {
      group.addTask { await Future<Int, Never> { $0(.success(number * number)) }.value }
    }
    var all: [Int] = []
    for await result in group { all.append(result) }
    return all.sorted()
  }
  print("squares:", results)

  let task = Task { @MainActor in
    for await token in session.token.values where token != nil { return token }
    return nil
  }
  print("token:", await task.value ?? "none")
}
