import Streams
import StreamsTesting
import Testing

/// Law R1 at length: many values, asked for one by one from inside the last.
@Suite("Stack depth of long streams", .leavesNothing)
struct StackTests {
  @Test("A long sequence requested value by value does not deepen the stack")
  func sequence() {
    #expect(depth(of: (0..<20_000).publisher, 20_000) <= depth(of: (0..<20).publisher, 20) + 4096)
  }

  @Test("Opening thousands of children one after another does not deepen the stack")
  func flatMap() {
    let few = (0..<20).publisher.flatMap(maxPublishers: .max(1)) { Just($0) }
    let many = (0..<5000).publisher.flatMap(maxPublishers: .max(1)) { Just($0) }

    #expect(depth(of: many, 5000) <= depth(of: few, 20) + 4096)
  }

  @Test("Dropping most values of a long sequence does not deepen the stack")
  func filter() {
    let few = (0..<20).publisher.eraseToAnyPublisher().filter { $0 == 19 }
    let many = (0..<20_000).publisher.eraseToAnyPublisher().filter { $0 == 19_999 }

    #expect(depth(of: many, 1) <= depth(of: few, 1) + 4096)
  }

  @Test("Delivering a long sequence on an immediate scheduler does not deepen the stack")
  func immediately() {
    let few = (0..<20).publisher.receive(on: ImmediateScheduler.shared)
    let many = (0..<5000).publisher.receive(on: ImmediateScheduler.shared)

    #expect(depth(of: many, 5000) <= depth(of: few, 20) + 4096)
  }

  @Test("Collecting a long sequence in groups does not deepen the stack")
  func groups() {
    let few = (0..<20).publisher.eraseToAnyPublisher().collect(2).map { $0[0] }
    let many = (0..<20_000).publisher.eraseToAnyPublisher().collect(2).map { $0[0] }

    #expect(depth(of: many, 10_000) <= depth(of: few, 10) + 4096)
  }

  @Test("Zipping two long sequences does not deepen the stack")
  func zip() {
    let few = (0..<20).publisher.zip((0..<20).publisher, +)
    let many = (0..<20_000).publisher.zip((0..<20_000).publisher, +)

    #expect(depth(of: many, 20_000) <= depth(of: few, 20) + 4096)
  }

  @Test("Merging two long sequences does not deepen the stack")
  func merge() {
    let few = (0..<20).publisher.merge(with: (0..<20).publisher)
    let many = (0..<10_000).publisher.merge(with: (0..<10_000).publisher)

    #expect(depth(of: many, 20_000) <= depth(of: few, 40) + 4096)
  }

  @Test(
    "Buffering a long sequence does not deepen the stack",
    arguments: [.keepFull, .byRequest] as [Publishers.PrefetchStrategy])
  func buffer(_ prefetch: Publishers.PrefetchStrategy) {
    let few = (0..<20).publisher.buffer(size: 100, prefetch: prefetch, whenFull: .dropNewest)
    let many = (0..<20_000).publisher.buffer(size: 20_000, prefetch: prefetch, whenFull: .dropNewest)

    #expect(depth(of: many, 20_000) <= depth(of: few, 20) + 4096)
  }

  @Test("Retrying an immediate failure 100,000 times does not deepen the stack")
  func retry() {
    var attempts = 0
    let failing = Deferred {
      attempts += 1
      return Fail<Int, TestFailure>(error: .scripted)
    }

    let recorder = failing.retry(100_000).record()

    #expect(attempts == 100_001)
    #expect(recorder.completions == [.failure(.scripted)])
  }

  @Test("Retrying thousands of attempts that send a value does not deepen the stack")
  func retryWithValues() {
    let source = Record(output: [1], completion: .failure(TestFailure.scripted))

    #expect(depth(of: source.retry(19_999), 20_000) <= depth(of: source.retry(19), 20) + 4096)
  }

  @Test("Switching thousands of times to a new publisher does not deepen the stack")
  func switchToLatest() {
    let few = (0..<20).publisher.eraseToAnyPublisher().map { Just($0) }.switchToLatest()
    let many = (0..<5000).publisher.eraseToAnyPublisher().map { Just($0) }.switchToLatest()

    #expect(depth(of: many, 5000) <= depth(of: few, 20) + 4096)
  }

  /// How far apart on the stack the values are received.
  private func depth<P: Publisher>(of publisher: P, _ count: Int) -> UInt where P.Output == Int {
    var (lowest, highest) = (UInt.max, UInt.min)
    let recorder = publisher.record(demand: .max(1)) { recorder in
      recorder.onValue = { recorder, _ in
        withUnsafeBytes(of: recorder) { here in
          let address = UInt(bitPattern: here.baseAddress)
          (lowest, highest) = (min(lowest, address), max(highest, address))
        }
        recorder.request(.max(1))
      }
    }
    #expect(recorder.values.count == count)
    #expect(recorder.completions.count == 1)
    return highest - lowest
  }
}
