import Foundation
import Streams

extension Publisher {
  /// Keeps the values of results, and drops their failures.
  func values<Value, E: Error>() -> AnyPublisher<Value, Failure> where Output == Result<Value, E> {
    compactMap { try? $0.get() }.eraseToAnyPublisher()
  }

  func asResult() -> AnyPublisher<Result<Output, Failure>, Never> {
    map(Result.success).catch { Just(.failure($0)) }.eraseToAnyPublisher()
  }

  func unwrap<Value>() -> Publishers.CompactMap<Self, Value> where Output == Value? { compactMap { $0 } }

  func pairwise() -> AnyPublisher<(Output, Output), Failure> {
    scan((nil, nil) as (Output?, Output?)) { ($0.1, $1) }
      .compactMap { previous, current in
        guard let previous, let current else { return nil }
        return (previous, current)
      }
      .eraseToAnyPublisher()
  }

  func withLatest<Other: Publisher>(from other: Other) -> AnyPublisher<(Output, Other.Output), Failure>
  where Other.Failure == Failure {
    map { value in other.map { (value, $0) }.first() }.switchToLatest().eraseToAnyPublisher()
  }

  func assign<Root: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, onWeak object: Root
  ) -> AnyCancellable where Failure == Never {
    sink { [weak object] in object?[keyPath: keyPath] = $0 }
  }

  func retry(_ times: Int, if condition: @escaping (Failure) -> Bool) -> AnyPublisher<Output, Failure> {
    self.catch { error -> AnyPublisher<Output, Failure> in
      guard times > 0, condition(error) else { return Fail(error: error).eraseToAnyPublisher() }
      return self.retry(times - 1, if: condition)
    }
    .eraseToAnyPublisher()
  }

  func log(_ name: String) -> Publishers.HandleEvents<Self> {
    handleEvents(receiveOutput: { Swift.print(name, $0) }, receiveCompletion: { Swift.print(name, $0) })
  }
}

extension Publisher where Output: Sequence {
  func mapElements<T>(_ transform: @escaping (Output.Element) -> T) -> Publishers.Map<Self, [T]> {
    map { $0.map(transform) }
  }

  func flatten() -> some Publisher<Output.Element, Failure> {
    flatMap { Publishers.Sequence<Output, Failure>(sequence: $0) }
  }
}

extension Publisher where Output: Numeric, Failure == Never {
  func sum() -> Publishers.Reduce<Self, Output> { reduce(0) { $0 + $1 } }
}

extension AnyPublisher {
  static func just(_ output: Output) -> Self {
    Just(output).setFailureType(to: Failure.self).eraseToAnyPublisher()
  }
  static func fail(_ error: Failure) -> Self { Fail(error: error).eraseToAnyPublisher() }
  static var never: Self { Empty(completeImmediately: false).eraseToAnyPublisher() }
}

private final class Label { var text = "" }

private enum Trouble: Error { case passing, lasting }

@MainActor
func customOperators() async {
  var bag = Set<AnyCancellable>()
  ["1", "x", "3"].publisher
    .map { text in Result { try Int(text).orThrow() } }
    .values().sum()
    .sink { print("sum:", $0) }
    .store(in: &bag)
  (1...4).publisher.pairwise().sink { print("pair:", $0) }.store(in: &bag)
  [1, nil, 3].publisher.unwrap().log("unwrapped").sink { _ in }.store(in: &bag)
  Just([1, 2]).mapElements { $0 * 2 }.flatten().sink { print("element:", $0) }.store(in: &bag)

  let taps = PassthroughSubject<Void, Never>()
  let text = CurrentValueSubject<String, Never>("a")
  taps.withLatest(from: text).sink { print("tapped with", $0.1) }.store(in: &bag)
  taps.send()
  text.send("b")
  taps.send()

  let label = Label()
  text.assign(to: \.text, onWeak: label).store(in: &bag)
  text.value = "c"
  print("label:", label.text)

  var attempts = 0
  let flaky = Deferred { () -> AnyPublisher<Int, Trouble> in
    attempts += 1
    return attempts < 3 ? .fail(.passing) : attempts == 3 ? .just(attempts) : .fail(.lasting)
  }
  flaky.retry(5) { $0 == .passing }.asResult().map(String.init(describing:)).sink {
    print($0.contains("success"), $0.contains("lasting"))
  }.store(in: &bag)
  flaky.retry(5) { $0 == .passing }.asResult().map(String.init(describing:)).sink {
    print($0.contains("success"), $0.contains("lasting"))
  }.store(in: &bag)
  AnyPublisher<Int, Trouble>.never.asResult().sink { print("never", $0) }.store(in: &bag)
}

extension Optional {
  fileprivate func orThrow() throws -> Wrapped {
    guard let self else { throw Trouble.lasting }
    return self
  }
}
