import Foundation
import Streams
import StreamsFoundation

enum LoadError: Error, Equatable { case missing, refused(Int) }

/// An API of callbacks.
final class LegacyLoader: @unchecked Sendable {
  private let queue = DispatchQueue(label: "legacy")

  func load(_ name: String, completion: @escaping @Sendable (Result<String, LoadError>) -> Void) {
    queue.async { completion(name == "none" ? .failure(.missing) : .success("<\(name)>")) }
  }

  func perform(_ completion: @escaping @Sendable (Result<Int, Never>) -> Void) {
    queue.async { completion(.success(42)) }
  }
}

extension LegacyLoader {
  func load(_ name: String) -> Future<String, LoadError> {
    Future { promise in
      self.load(name) { promise($0) }
    }
  }

  func lazyLoad(_ name: String) -> AnyPublisher<String, LoadError> {
    Deferred { Future { promise in self.load(name, completion: promise) } }.eraseToAnyPublisher()
  }
}

/// Keeps a promise until somebody answers.
final class Question {
  private var promise: ((Result<Bool, Never>) -> Void)?
  private(set) lazy var answer = Future<Bool, Never> { [weak self] in self?.promise = $0 }

  func reply(_ yes: Bool) { promise?(.success(yes)) }
}

private func double(_ value: Int) async throws -> Int {
  guard value < 100 else { throw LoadError.refused(value) }
  return value * 2
}

extension Future where Failure == any Error {
  convenience init(operation: @escaping @Sendable () async throws -> Output) where Output: Sendable {
    self.init { promise in
      Task {
        do { promise(.success(try await operation())) } catch { promise(.failure(error)) }
      }
    }
  }
}

@MainActor
func futures() async {
  var cancellables = Set<AnyCancellable>()
  let loader = LegacyLoader()

  for name in ["a", "none"] {
    await wait { done in
      loader.load(name)
        .receive(on: DispatchQueue.main)
        .sink(
          receiveCompletion: {
            if case .failure(let error) = $0 { print("\(name) is missing:", error == .missing) }
            done()
          },
          receiveValue: { print("\(name):", $0) }
        )
        .store(in: &cancellables)
    }
  }

  let answer = Future(loader.perform)
  print("method:", await answer.value)
  print("again:", await answer.value)
  do {
    for try await text in loader.lazyLoad("b").values { print("lazily:", text) }
    for try await text in loader.lazyLoad("none").values { print("never", text) }
  } catch {
    print("lazily:", error)
  }

  let question = Question()
  question.answer.map { $0 ? "yes" : "no" }.sink { print("answer:", $0) }.store(in: &cancellables)
  question.reply(true)
  question.reply(false)
  question.answer.sink { print("still \($0)") }.store(in: &cancellables)

  for value in [21, 100] {
    let doubled = Future<Int, any Error> { try await double(value) }
    do { print("awaited:", try await doubled.value) } catch {
      print("refused:", error as? LoadError == .refused(100))
    }
  }

  var runs = 0
  let eager = Future<Int, Never> { promise in
    runs += 1
    promise(.success(runs))
  }
  print("ran before anybody asked: \(runs)")
  eager.sink { print("eager:", $0) }.store(in: &cancellables)
  let lazy = Deferred { Future<Int, Never> { $0(.success(7)) } }
  lazy.sink { print("lazy:", $0) }.store(in: &cancellables)

  await wait { done in
    Publishers.Zip(Future(loader.perform), Future(loader.perform))
      .map { $0 + $1 }
      .receive(on: DispatchQueue.main)
      .sink {
        print("both:", $0)
        done()
      }
      .store(in: &cancellables)
  }
}
