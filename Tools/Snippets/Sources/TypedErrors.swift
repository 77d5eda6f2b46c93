import Foundation
import Streams
import StreamsExtras

// Closures with typed throws, next to all the shapes of those without: none of them is ambiguous.

private enum APIError: Error, Equatable, CustomStringConvertible {
  case empty
  case notANumber(String)

  nonisolated var description: String {
    switch self {
    case .empty: "empty"
    case .notANumber(let text): "not a number: \(text)"
    }
  }
}

private func number(_ text: String) throws(APIError) -> Int {
  guard !text.isEmpty else { throw .empty }
  guard let number = Int(text) else { throw .notANumber(text) }
  return number
}

private func anyNumber(_ text: String) throws -> Int { try number(text) }

/// An interface that promises its failure.
private struct Client {
  let texts: AnyPublisher<String, APIError>

  func numbers() -> AnyPublisher<Int, APIError> {
    texts.tryMap { text throws(APIError) in try number(text) }.eraseToAnyPublisher()
  }

  func total() -> AnyPublisher<Int, APIError> {
    texts
      .tryMap { (text) throws(APIError) -> Int in
        let value = try number(text)
        return value * 2
      }
      .tryReduce(0) { (sum, value) throws(APIError) in sum + value }
      .eraseToAnyPublisher()
  }
}

@MainActor
func typedErrors() async {
  var bag = Set<AnyCancellable>()
  let client = Client(
    texts: ["1", "2", "x"].publisher.setFailureType(to: APIError.self).eraseToAnyPublisher())
  client.numbers()
    .sink {
      print("numbers:", $0)
    } receiveValue: {
      print("number:", $0)
    }.store(in: &bag)
  client.total()
    .catch { error -> Just<Int> in error == .empty ? Just(0) : Just(-1) }
    .sink { print("total:", $0) }.store(in: &bag)

  let upstream: AnyPublisher<Int, APIError> = Just("").tryMap(number).eraseToAnyPublisher()
  upstream.sink {
    print("upstream of Never:", $0)
  } receiveValue: { _ in
  }.store(in: &bag)

  // All of these are Combine's.
  let plain: [AnyPublisher<Int, any Error>] = [
    Just("1").tryMap { try anyNumber($0) }.eraseToAnyPublisher(),
    Just("2").tryMap(anyNumber).eraseToAnyPublisher(),
    Just("3").tryMap { $0.count }.eraseToAnyPublisher(),
    ["4"].publisher.tryMap { text in
      if text.isEmpty { throw APIError.empty }
      return text.count
    }.eraseToAnyPublisher(),
    client.texts.tryMap { try anyNumber($0) }.eraseToAnyPublisher(),
    client.texts.tryCompactMap { Int($0) }.eraseToAnyPublisher(),
    client.texts.tryMap { text throws(APIError) in try number(text) }.eraseToAnyPublisher(),
  ]
  for (index, publisher) in plain.enumerated() {
    publisher.sink {
      print("plain \(index):", $0)
    } receiveValue: {
      print("plain \(index):", $0)
    }
    .store(in: &bag)
  }
  let inferred = client.texts.tryMap { try anyNumber($0) }
  let typed: Publishers.TryMap<AnyPublisher<String, APIError>, Int> = inferred
  let filtered = [1, 2, 3].publisher.tryFilter { $0 > 1 }.tryScan(0) { $0 + $1 }.tryDrop { $0 < 3 }
  filtered.tryRemoveDuplicates { $0 == $1 }.tryPrefix { $0 < 9 }.tryFirst { $0 > 2 }
    .sink {
      print("chain:", $0)
    } receiveValue: {
      print("chain:", $0)
    }.store(in: &bag)
  typed.tryCatch { error -> Just<Int> in
    guard let error = error as? APIError, error != .empty else { throw error }
    return Just(0)
  }
  .tryLast { $0 < 9 }.tryMin { $0 < $1 }.sink {
    print("caught:", $0)
  } receiveValue: {
    print("caught:", $0)
  }
  .store(in: &bag)
}
