import Foundation
import Streams
import StreamsFoundation

private struct Page { let items: [Int], next: Int? }

private enum PageError: Error { case missing }

private final class Repository {
  private var cache: [Int: [Int]] = [:]
  private(set) var requests: [Int] = []

  private func remote(_ index: Int) -> AnyPublisher<Page, PageError> {
    Deferred { () -> AnyPublisher<Page, PageError> in
      self.requests.append(index)
      guard index < 3 else { return Fail(error: .missing).eraseToAnyPublisher() }
      return Result<Page, PageError>.Publisher(
        Page(items: [index * 10, index * 10 + 1], next: index == 2 ? nil : index + 1)
      )
      .eraseToAnyPublisher()
    }
    .eraseToAnyPublisher()
  }

  /// All pages, one after another: each value asks for the next.
  func all() -> AnyPublisher<Int, PageError> {
    let indices = CurrentValueSubject<Int, PageError>(0)
    return
      indices
      .flatMap { self.remote($0).receive(on: DispatchQueue.main) }
      .handleEvents(receiveOutput: { page in
        if let next = page.next { indices.send(next) } else { indices.send(completion: .finished) }
      })
      .flatMap { $0.items.publisher }
      .eraseToAnyPublisher()
  }

  /// Pages that append the next.
  func chained(from index: Int) -> AnyPublisher<[Int], PageError> {
    remote(index)
      .flatMap { page -> AnyPublisher<[Int], PageError> in
        let items = Just(page.items).setFailureType(to: PageError.self)
        guard let next = page.next else { return items.eraseToAnyPublisher() }
        return items.append(self.chained(from: next)).eraseToAnyPublisher()
      }
      .eraseToAnyPublisher()
  }

  /// First what is in the cache, then what the server has.
  func cached(_ index: Int) -> AnyPublisher<[Int], Never> {
    let stored = cache[index].publisher
    let fresh = remote(index)
      .map(\.items)
      .handleEvents(receiveOutput: { [weak self] in self?.cache[index] = $0 })
      .replaceError(with: [])
    return stored.append(fresh).removeDuplicates().eraseToAnyPublisher()
  }
}

@MainActor
func paging() async {
  var bag = Set<AnyCancellable>()
  let repository = Repository()
  await wait { done in
    repository.all().collect()
      .sink(
        receiveCompletion: {
          print("all:", $0)
          done()
        }, receiveValue: { print("all:", $0) }
      )
      .store(in: &bag)
  }
  print("requests:", repository.requests)
  repository.chained(from: 1)
    .sink(receiveCompletion: { print("chained:", $0) }, receiveValue: { print("chained:", $0) })
    .store(in: &bag)
  repository.chained(from: 3)
    .sink(
      receiveCompletion: { if case .failure(.missing) = $0 { print("chained: missing") } },
      receiveValue: { print("never", $0) }
    )
    .store(in: &bag)
  for _ in 1...2 {
    repository.cached(0).sink { print("cached:", $0) }.store(in: &bag)
  }
  repository.cached(9).sink { print("nothing there:", $0) }.store(in: &bag)

  // The next page when the list is scrolled to its end, one at a time.
  let scrolled = PassthroughSubject<Void, Never>()
  var next: Int? = 0
  scrolled
    .compactMap { next }
    .flatMap(maxPublishers: .max(1)) { repository.chained(from: $0).first().replaceError(with: []) }
    .scan([], +)
    .handleEvents(receiveOutput: { next = $0.count < 6 ? $0.count / 2 : nil })
    .sink { print("list:", $0) }
    .store(in: &bag)
  for _ in 1...5 { scrolled.send() }
}
