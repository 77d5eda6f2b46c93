import Streams

/// A chain of many publishers, each of which takes over synchronously from the one before.
struct Chain: Sendable {
  let name: String
  /// Builds it with so many links, runs it, lets go of it, and says how many values came.
  let run: @Sendable (Int) -> Int
  let expected: @Sendable (Int) -> Int
}

private struct Failed: Error {}

let chains = [
  Chain(name: "append, page after page", run: { count(page(0, of: $0)) }, expected: { $0 }),
  Chain(
    name: "append, built in a loop",
    run: { links in count((0..<links).reduce(nothing) { $0.append($1).eraseToAnyPublisher() }) },
    expected: { $0 }),
  Chain(
    name: "append, built in a loop, cut short",
    run: { links in count((0..<links).reduce(nothing) { $0.append($1).eraseToAnyPublisher() }.prefix(3)) },
    expected: { _ in 3 }),
  Chain(
    name: "prepend, built in a loop",
    run: { links in count((0..<links).reduce(nothing) { $0.prepend($1).eraseToAnyPublisher() }) },
    expected: { $0 }),
  Chain(name: "catch, attempt after attempt", run: { count(attempt(0, of: $0)) }, expected: { _ in 1 }),
  Chain(name: "tryCatch, attempt after attempt", run: { count(trial(0, of: $0)) }, expected: { _ in 1 }),
  Chain(
    name: "catch, built in a loop",
    run: { links in
      count(
        (0..<links).reduce(failure) { chain, _ in chain.catch { _ in failure }.eraseToAnyPublisher() }
          .replaceError(with: 7))
    },
    expected: { _ in 1 }),
  Chain(
    name: "retry",
    run: { links in
      var attempts = 0
      let failing = Deferred {
        attempts += 1
        return Just(attempts).setFailureType(to: Failed.self).tryMap { _ -> Int in throw Failed() }
      }
      _ = count(failing.retry(links))
      return attempts
    }, expected: { $0 + 1 }),
  Chain(
    name: "flatMap, child after child",
    run: { count((0..<$0).publisher.flatMap(maxPublishers: .max(1)) { Just($0) }) }, expected: { $0 }),
  Chain(
    name: "switchToLatest, child after child",
    run: { count((0..<$0).publisher.map { Just($0) }.switchToLatest()) }, expected: { $0 }),
]

private var nothing: AnyPublisher<Int, Never> { Empty().eraseToAnyPublisher() }
private var failure: AnyPublisher<Int, Failed> { Fail(error: Failed()).eraseToAnyPublisher() }

private func page(_ number: Int, of links: Int) -> AnyPublisher<Int, Never> {
  guard number < links else { return nothing }
  return Just(number).append(Deferred { page(number + 1, of: links) }).eraseToAnyPublisher()
}

private func attempt(_ number: Int, of links: Int) -> AnyPublisher<Int, Never> {
  guard number < links else { return Just(number).eraseToAnyPublisher() }
  return failure.catch { _ in attempt(number + 1, of: links) }.eraseToAnyPublisher()
}

private func trial(_ number: Int, of links: Int) -> AnyPublisher<Int, any Error> {
  guard number < links else { return Just(number).setFailureType(to: (any Error).self).eraseToAnyPublisher() }
  return failure.tryCatch { _ in trial(number + 1, of: links) }.eraseToAnyPublisher()
}

private func count<P: Publisher>(_ publisher: P) -> Int {
  var values = 0
  let subscription = publisher.sink(receiveCompletion: { _ in }, receiveValue: { _ in values += 1 })
  withExtendedLifetime(subscription) {}
  return values
}
