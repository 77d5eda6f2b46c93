import Foundation

#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

/// Answers as a server would, from memory.
final class Network {
  private let answers: [String: String]
  private let isOnline = CurrentValueSubject<Bool, Never>(true)
  private(set) var requests = 0

  init(answers: [String: String]) {
    self.answers = answers
  }

  var connectivity: AnyPublisher<Bool, Never> {
    isOnline.removeDuplicates().eraseToAnyPublisher()
  }

  func setOnline(_ value: Bool) {
    isOnline.send(value)
  }

  func data(_ path: String) -> AnyPublisher<Data, ShopError> {
    requests += 1
    guard isOnline.value else { return Fail(error: .offline).eraseToAnyPublisher() }
    guard let answer = answers[path] else { return Fail(error: .notFound).eraseToAnyPublisher() }
    return Just(Data(answer.utf8)).setFailureType(to: ShopError.self).eraseToAnyPublisher()
  }

  func value<Value: Decodable>(_ path: String, as type: Value.Type) -> AnyPublisher<Value, ShopError> {
    Deferred { self.data(path) }
      .retry(1)
      .decode(type: type, decoder: JSONDecoder())
      .mapError { $0 as? ShopError ?? .malformed }
      .eraseToAnyPublisher()
  }
}
