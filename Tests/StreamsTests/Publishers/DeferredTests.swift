import Streams
import StreamsTesting
import Testing

@Suite("`Deferred`", .leavesNothing)
struct DeferredTests {
  @Test("`Deferred` creates a publisher for each subscriber at subscription")
  func defers() {
    var count = 0
    let publisher = Deferred { () -> Just<Int> in
      count += 1
      return Just(count)
    }
    let before = count

    let (first, second) = (publisher.record(), publisher.record())

    #expect(before == 0)
    #expect(first.values == [1])
    #expect(second.values == [2])
    #expect("\(first.subscriptions[0])" == "Just")
  }

  @Test("`Deferred` delays the work of a future until the first subscription")
  func delaysFutures() {
    var isStarted = false
    let publisher = Deferred {
      Future<Int, Never> { promise in
        isStarted = true
        promise(.success(1))
      }
    }
    let before = isStarted

    let recorder = publisher.record()

    #expect(!before)
    #expect(recorder.values == [1])
  }
}
