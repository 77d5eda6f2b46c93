import Synchronization

/// A sequence that tells how often it was asked.
struct Countdown: AsyncSequence, Sendable {
  let start: Int
  private let stepped = Steps()

  init(from start: Int) { self.start = start }

  /// How often somebody awaited an element.
  var steps: Int { stepped.count.load(ordering: .relaxed) }

  func makeAsyncIterator() -> Iterator { Iterator(next: start, stepped: stepped) }

  struct Iterator: AsyncIteratorProtocol {
    var next: Int
    let stepped: Steps

    mutating func next() async -> Int? {
      stepped.count.wrappingAdd(1, ordering: .relaxed)
      await Task.yield()
      guard next > 0 else { return nil }
      defer { next -= 1 }
      return next
    }
  }
}

final class Steps: Sendable {
  let count = Atomic(0)
}
