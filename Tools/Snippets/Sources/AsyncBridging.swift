import Foundation
import Streams

private struct Broken: Error {}

extension Publisher where Output: Sendable {
  /// The first value, awaited, as apps had it before `values`.
  @MainActor func firstValue() async throws -> Output {
    var subscription: AnyCancellable?
    defer { subscription?.cancel() }
    return try await withCheckedThrowingContinuation { continuation in
      var isOver = false
      subscription = first().sink(
        receiveCompletion: { completion in
          guard !isOver else { return }
          isOver = true
          if case .failure(let error) = completion { continuation.resume(throwing: error) }
        },
        receiveValue: { value in
          isOver = true
          continuation.resume(returning: value)
        })
    }
  }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// A publisher of what is awaited.
  func publisher() -> AnyPublisher<Element, any Error> {
    let subject = PassthroughSubject<Element, any Error>()
    let task = Task {
      do {
        for try await element in self { subject.send(element) }
        subject.send(completion: .finished)
      } catch {
        subject.send(completion: .failure(error))
      }
    }
    return subject.handleEvents(receiveCancel: { task.cancel() }).eraseToAnyPublisher()
  }
}

extension Publisher where Failure == Never, Output: Sendable {
  func stream() -> AsyncStream<Output> {
    AsyncStream { continuation in
      let subscription = sink(
        receiveCompletion: { _ in continuation.finish() }, receiveValue: { continuation.yield($0) })
      continuation.onTermination = { _ in subscription.cancel() }
    }
  }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// All elements, of what throws and of what does not.
  func array() async rethrows -> [Element] {
    var iterator = makeAsyncIterator()
    var array: [Element] = []
    while let element = try await iterator.next() { array.append(element) }
    return array
  }
}

@MainActor
private final class Model {
  @Published var count = 0
  private(set) var seen: [Int] = []

  func watch() async {
    for await count in $count.values {
      seen.append(count)
      if count == 3 { break }
      self.count = count + 1
    }
  }
}

@MainActor
func asyncBridging() async {
  for await value in (1...3).publisher.map({ $0 * 2 }).values { print("value:", value) }

  let failing = [1, 2, 0, 4].publisher.tryMap { value -> Int in
    guard value != 0 else { throw Broken() }
    return 10 / value
  }
  do {
    for try await value in failing.values { print("before the failure:", value) }
  } catch {
    print("thrown:", error is Broken)
  }

  let typed = (1...3).publisher.setFailureType(to: Broken.self)
  do {
    print("array:", try await typed.values.array())
    print("not reached:", try await typed.append(Fail(error: Broken())).values.array())
  } catch {
    print("thrown by a helper:", error is Broken)
  }
  print("array:", await (1...2).publisher.values.array())
  print("first:", (try? await typed.values.map { $0 * 10 }.first { @Sendable in $0 > 10 }) ?? 0)

  let model = Model()
  await model.watch()
  print("seen:", model.seen)
  print("first:", (try? await Just(5).firstValue()) ?? 0)
  let failed: Int? = try? await Fail(error: Broken()).firstValue()
  print("failed:", failed == nil)

  let (stream, continuation) = AsyncStream.makeStream(of: String.self)
  var bag = Set<AnyCancellable>()
  await wait { done in
    stream.publisher()
      .collect()
      .replaceError(with: [])
      .sink {
        print("collected:", $0)
        done()
      }
      .store(in: &bag)
    ["x", "y"].forEach { continuation.yield($0) }
    continuation.finish()
  }

  let numbers = PassthroughSubject<Int, Never>()
  let buffered = numbers.stream()
  (1...3).forEach(numbers.send)
  numbers.send(completion: .finished)
  for await number in buffered { print("buffered:", number) }

  let forever = CurrentValueSubject<Int, Never>(1)
  let task = Task {
    var count = 0
    for await _ in forever.values {
      count += 1
      withUnsafeCurrentTask { $0?.cancel() }
    }
    return count
  }
  print("cancelled after \(await task.value)")
  print("max:", await [3, 9, 4].publisher.values.max() ?? 0)
}
