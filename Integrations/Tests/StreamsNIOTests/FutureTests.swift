import NIOCore
import NIOEmbedded
import Streams
import StreamsNIO
import StreamsTesting
import Testing

@Suite("Futures of an event loop")
struct FutureTests {
  private let loop = EmbeddedEventLoop()

  private struct Refused: Error {}

  @Test("Each subscriber of a future's publisher receives its value, before and after it arrives")
  func value() {
    let promise = loop.makePromise(of: Int.self)
    let early = promise.futureResult.publisher.record()
    #expect(early.values == [])

    promise.succeed(7)
    let late = promise.futureResult.publisher.record()

    #expect(early.values == [7])
    #expect(late.values == [7])
    #expect(early.completions.count == 1)
  }

  @Test("A future's value waits for the first request, and its error does not")
  func demand() {
    let value = loop.makeSucceededFuture(7).publisher.record(demand: .none)
    let error = loop.makeFailedFuture(Refused()).map { 7 }.publisher.record(demand: .none)
    #expect(value.events.count == 1)

    value.request(.max(1))

    #expect(value.values == [7])
    guard case .failure(is Refused)? = error.completions.first else {
      Issue.record("No failure: \(error.events)")
      return
    }
  }

  @Test("The first value fulfils a future and cancels the subscription")
  func firstValue() throws {
    let source = PassthroughSubject<Int, Never>()
    let cancels = Journal()
    let future = source.handleEvents(receiveCancel: { cancels.note("cancel") }).firstValue(on: loop)

    source.send(1)
    source.send(2)

    #expect(try future.wait() == 1)
    #expect(cancels.lines == ["cancel"])
  }

  @Test("A publisher without a value fails the future with the reason")
  func noValue() {
    let failing = Fail<Int, Refused>(error: Refused()).firstValue(on: loop)
    var subject: PassthroughSubject<Int, Never>? = PassthroughSubject()
    let released = subject!.firstValue(on: loop)
    subject = nil

    #expect(throws: NoFirstValue.finished) { try Empty<Int, Never>().firstValue(on: loop).wait() }
    #expect(throws: Refused.self) { try failing.wait() }
    #expect(throws: NoFirstValue.released) { try released.wait() }
  }
}
