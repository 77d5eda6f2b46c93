import Dispatch
import Streams
import StreamsExtras
import StreamsFoundation
import Testing

@Suite("`Publisher.blocking`")
struct BlockingTests {
  enum Fault: Error { case one }

  @Test("`blocking` returns the first, the last, the single or all values")
  func values() throws {
    let numbers = [1, 2, 3].publisher

    #expect(try numbers.blocking().first() == 1)
    #expect(try numbers.blocking().last() == 3)
    #expect(try numbers.blocking().toArray() == [1, 2, 3])
    #expect(try Just(7).blocking().single() == 7)
    #expect(try Empty<Int, Never>().blocking().first() == nil)
  }

  @Test("`blocking` waits for values from another thread")
  func threads() throws {
    let delayed = Just(5).delay(for: .milliseconds(1), scheduler: DispatchQueue.global())

    #expect(try delayed.blocking(timeout: .seconds(600)).single() == 5)
  }

  @Test("`blocking` throws the failure, a timeout or a wrong number of values")
  func errors() {
    let failing = Record<Int, Fault>(output: [1], completion: .failure(.one))

    #expect(throws: BlockingError<Fault>.failed(.one)) { try failing.blocking().toArray() }
    #expect(throws: BlockingError<Never>.notSingle(count: 2)) { try [1, 2, 3].publisher.blocking().single() }
    #expect(throws: BlockingError<Never>.timedOut) {
      try Empty<Int, Never>(completeImmediately: false).blocking(timeout: .milliseconds(1)).first()
    }
    #expect(failing.blocking().materialize().values == [1])
  }

  @Test("`blocking` times out at once if its timeout is negative, and accepts any other")
  func timeouts() throws {
    let silent = Empty<Int, Never>(completeImmediately: false)

    for timeout in [Duration.zero, .seconds(-1), .seconds(Int64.min)] {
      #expect(throws: BlockingError<Never>.timedOut) { try silent.blocking(timeout: timeout).first() }
    }
    for timeout in [Duration.nanoseconds(Int64.max) + .nanoseconds(1), .seconds(Int64.max)] {
      #expect(try Just(7).blocking(timeout: timeout).first() == 7)
    }
  }
}
