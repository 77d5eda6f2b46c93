import Streams
import StreamsTesting
import Synchronization
import Testing

/// Introspections wrap subscribers and subscriptions, and must not change what streams do.
@Suite("Streams that an introspection observes", .serialized, .leavesNothing)
struct ObservedStreamsTests {
  @Test("`zip` reads a sequence only a few elements ahead while an introspection is enabled")
  func zip() {
    var readCount = 0
    // It ends, so that the test does: an endless one would never be left.
    let numbers = sequence(state: 0) { (last: inout Int) -> Int? in
      readCount += 1
      last += 1
      return last <= 5000 ? last : nil
    }
    let (events, recorder) = (PassthroughSubject<Int, Never>(), Recorder<Int, Never>())

    _ = Tracer().trace {
      let pulled = numbers.publisher.eraseToAnyPublisher().scan(0) { $1 }
      events.zip(pulled, +).subscribe(recorder)
    }

    #expect((1...40).contains(readCount))
    recorder.cancel()
  }

  @Test("`values` waits for a publisher that never sends while an introspection is enabled")
  func silence() async {
    let tracer = Tracer()
    let hasEnded = Atomic(false)

    tracer.enable()
    let waiter = Task(executorPreference: AtOnce()) {
      for await _ in Empty<Int, Never>(completeImmediately: false).values {}
      hasEnded.store(true, ordering: .releasing)
    }
    let wasEarly = hasEnded.load(ordering: .acquiring)
    tracer.disable()
    waiter.cancel()
    await waiter.value

    #expect(!wasEarly)
  }

  @Test("Pages that follow one another do not deepen the stack while an introspection is enabled")
  func pages() {
    var places: [Int] = []
    func page(_ number: Int) -> AnyPublisher<Int, Never> {
      places.append(stackPlace())
      if number == 200 { return Just(number).eraseToAnyPublisher() }
      return [number].publisher.append(Deferred { page(number + 1) }).eraseToAnyPublisher()
    }
    let recorder = Recorder<Int, Never>()

    _ = Tracer().trace { page(1).subscribe(recorder) }

    #expect(recorder.values == Array(1...200))
    #expect(recorder.completions == [.finished])
    #expect(abs(places[10] - places[190]) <= 4096)
  }

  private func stackPlace() -> Int {
    var local = 0
    return withUnsafeMutablePointer(to: &local) { Int(bitPattern: $0) }
  }
}
