import Streams

// Types of public properties are inferred. Nothing in them may be less public than the property.

public struct PublicProperties {
  public let passthrough = PassthroughSubject<Int, Never>().eraseToAnyPublisher()
  public let passthroughMap = PassthroughSubject<Int, Never>().map { $0 + 1 }
  public let passthroughFlatMap = PassthroughSubject<Int, Never>().flatMap { Just($0) }
  public let passthroughMerge = PassthroughSubject<Int, Never>().merge(with: Just(1))
  public let passthroughMulticast = PassthroughSubject<Int, Never>().multicast { PassthroughSubject() }
  public let current = CurrentValueSubject<Int, Never>(1).eraseToAnyPublisher()
  public let currentMap = CurrentValueSubject<Int, Never>(1).map { $0 + 1 }
  public let future = Future<Int, Never> { $0(.success(1)) }.eraseToAnyPublisher()
  public let just = Just(1).eraseToAnyPublisher()
  public let shared = PassthroughSubject<Int, Never>().share().eraseToAnyPublisher()
  public let sequence = [1, 2].publisher.eraseToAnyPublisher()
  public let empty = Empty<Int, Never>().eraseToAnyPublisher()
  public let fail = Fail<Int, ProblemOfProperties>(error: .one).eraseToAnyPublisher()
  public let deferred = Deferred { Just(1) }.eraseToAnyPublisher()
  public let record = Record<Int, Never> { $0.receive(completion: .finished) }.eraseToAnyPublisher()
}

public enum ProblemOfProperties: Error { case one }
