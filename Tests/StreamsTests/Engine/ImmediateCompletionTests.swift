import Streams
import StreamsTesting
import Testing

@Suite("Immediate completion", .leavesNothing)
struct ImmediateCompletionTests {
  @Test("A publisher that has already ended sends nothing to a subscriber that cancels immediately")
  func cancels() {
    let finished = PassthroughSubject<Int, Problem>()
    finished.send(completion: .finished)
    let publishers = [
      Empty<Int, Problem>().eraseToAnyPublisher(),
      Fail<Int, Problem>(error: Problem(code: 1)).eraseToAnyPublisher(),
      Result<Int, Problem>.failure(Problem(code: 1)).publisher.eraseToAnyPublisher(),
      Int?.none.publisher.setFailureType(to: Problem.self).eraseToAnyPublisher(),
      Publishers.Sequence<[Int], Problem>(sequence: []).eraseToAnyPublisher(),
      Record(output: [], completion: .finished).eraseToAnyPublisher(),
      Just(1).setFailureType(to: Problem.self).prefix(0).eraseToAnyPublisher(),
      finished.share().eraseToAnyPublisher(),
      finished.eraseToAnyPublisher(),
    ]

    let events = publishers.map { publisher in
      publisher.record { $0.onSubscription = { $0.cancel() } }.events
    }

    #expect(events == Array(repeating: [.subscription], count: publishers.count))
  }
}
