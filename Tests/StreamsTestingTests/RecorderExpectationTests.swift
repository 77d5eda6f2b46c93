import Streams
import StreamsTesting
import Testing

@Suite("`Recorder`: awaited expectations")
struct RecorderExpectationTests {
  let subject = PassthroughSubject<Int, TestFailure>()

  @Test("`Recorder.next` returns consecutive values, each once")
  func next() async throws {
    let recorder = (1...5).publisher.record()

    let (first, two, last) = try await (recorder.next(), recorder.next(2), recorder.next())

    #expect(first == 1)
    #expect(two == [2, 3])
    #expect(last == 4)
  }

  @Test("An actor receives recorded values that are not `Sendable`")
  @MainActor
  func notSendable() async throws {
    final class Draft { var words = 1 }
    let drafts = PassthroughSubject<Draft, Never>()
    let recorder = drafts.record()

    drafts.send(Draft())
    drafts.send(Draft())
    let (first, all) = (try await recorder.next(), await recorder.received(2))
    first.words += 1

    #expect(all.map(\.words) == [2, 1])
    recorder.cancel()
  }

  @Test("`Recorder.next` waits for a later value")
  func later() async throws {
    let recorder = subject.record()

    async let value = recorder.next()
    subject.send(7)

    #expect(try await value == 7)
  }

  @Test("`Recorder.prefix` returns the first values, or fewer if the stream finishes early")
  func prefix() async throws {
    let recorder = (1...3).publisher.record()

    #expect(try await recorder.prefix(2) == [1, 2])
    #expect(try await recorder.prefix(9) == [1, 2, 3])
  }

  @Test("A finished recorder returns all awaited values and the completion")
  func elements() async throws {
    let (many, one, none) = ((1...3).publisher.record(), Just(5).record(), Empty<Int, Never>().record())

    #expect(try await many.elements() == [1, 2, 3])
    #expect(try await many.last() == 3)
    #expect(try await none.last() == nil)
    #expect(try await one.single() == 5)
    #expect(try await many.completion() == .finished)
    try await many.finished()
  }

  @Test("`Recorder.single` throws unless the stream sends exactly one value")
  func notSingle() async {
    let (many, none) = ((1...3).publisher.record(), Empty<Int, Never>().record())

    await #expect(throws: RecordingError<Never>.tooManyElements(received: 3)) { try await many.single() }
    await #expect(throws: RecordingError<Never>.notEnoughElements(expected: 1, received: 0)) {
      try await none.single()
    }
  }

  @Test("`Recorder.next` throws if the stream ends with too few values")
  func tooFew() async {
    let recorder = (1...2).publisher.record()

    await #expect(throws: RecordingError<Never>.notEnoughElements(expected: 3, received: 2)) {
      try await recorder.next(3)
    }
  }

  @Test("Recorder expectations throw the failure of the stream")
  func failed() async throws {
    let recorder = subject.record()
    subject.send(1)
    subject.send(completion: .failure(.scripted))

    #expect(try await recorder.completion() == .failure(.scripted))
    #expect(try await recorder.prefix(1) == [1])
    await #expect(throws: RecordingError<TestFailure>.failed(.scripted)) { try await recorder.prefix(2) }
    await #expect(throws: RecordingError<TestFailure>.failed(.scripted)) { try await recorder.next(2) }
    await #expect(throws: RecordingError<TestFailure>.failed(.scripted)) { try await recorder.finished() }
    await #expect(throws: RecordingError<TestFailure>.failed(.scripted)) { try await recorder.elements() }
    #expect(try await recorder.next() == 1)
  }

  @Test("Recorder expectations throw when their time is up")
  func timeIsUp() async {
    let recorder = subject.record()
    subject.send(1)

    await #expect(
      throws: RecordingError<TestFailure>.notEnoughElements(
        expected: 2, received: 1, waited: .milliseconds(1))
    ) {
      try await recorder.next(2, within: .milliseconds(1))
    }
    await #expect(
      throws: RecordingError<TestFailure>.notEnoughElements(
        expected: 2, received: 1, waited: .milliseconds(1))
    ) {
      try await recorder.prefix(2, within: .milliseconds(1))
    }
    await #expect(throws: RecordingError<TestFailure>.notCompleted(waited: .milliseconds(1))) {
      try await recorder.completion(within: .milliseconds(1))
    }
  }

  @Test("`Recorder.finished` throws when its task is cancelled")
  func cancelled() async {
    let recorder = subject.record()
    let task = Task { try await recorder.finished(within: .seconds(600)) }

    task.cancel()

    await #expect(throws: RecordingError<TestFailure>.notCompleted(waited: .seconds(600))) {
      try await task.value
    }
  }

  @Test("A recording error describes what is missing")
  func words() {
    #expect(
      "\(RecordingError<TestFailure>.notEnoughElements(expected: 3, received: 1))"
        == "1 of 3 values arrived before the end")
    #expect(
      "\(RecordingError<TestFailure>.tooManyElements(received: 3))" == "3 values arrived instead of one")
    #expect(
      "\(RecordingError<TestFailure>.notCompleted(waited: .milliseconds(20)))"
        == "the stream has not completed within 0.02 seconds")
    #expect("\(RecordingError<TestFailure>.failed(.thrown))" == "the stream failed: thrown")
  }
}
