import InterleavingsStreams
import Streams
import Testing

@Test func mergeLosesNothing() throws {
  try exploreSubscription {
    (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
  } to: { first, second in
    first.merge(with: second)
  } run: {
    $0.thread { first, _ in first.send(1) }
    $0.thread { _, second in second.send(2) }
  } after: { _, received in
    #expect(received.values.sorted() == [1, 2])
  }
}
