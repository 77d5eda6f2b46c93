import Dispatch
import Foundation
import Streams
import StreamsExtras
import StreamsFoundation
import StreamsFoundationExtras
import StreamsTesting
import Testing

@Suite("`AnyScheduler`")
struct AnySchedulerNamesTests {
  /// Sends a value on after a minute of its scheduler's time.
  private struct Slow<Context: Scheduler> {
    let scheduler: Context

    func start() -> Recorder<Int, Never> { Just(1).delay(for: .seconds(60), scheduler: scheduler).record() }
  }

  func results(
    of terms: some Publisher<String, Never>, scheduler: AnySchedulerOf<DispatchQueue> = .main
  ) -> some Publisher<String, Never> {
    terms.debounce(for: .milliseconds(300), scheduler: scheduler)
  }

  @Test("An immediate scheduler replaces a queue or a run loop")
  func immediate() {
    let recorders = [
      Slow<AnySchedulerOf<DispatchQueue>>(scheduler: .immediate).start(),
      Slow<AnySchedulerOf<OperationQueue>>(scheduler: .immediate).start(),
      Slow<AnySchedulerOf<RunLoop>>(scheduler: .immediate).start(),
      Slow(scheduler: DispatchQueue.immediate).start(),
      Slow(scheduler: OperationQueue.immediate).start(),
      Slow(scheduler: RunLoop.immediate).start(),
    ]

    #expect(recorders.map(\.values) == Array(repeating: [1], count: 6))
  }

  @Test("A test controls the time of a function that takes an `AnyScheduler`")
  func reference() {
    let scheduler = DispatchQueue.test
    let terms = PassthroughSubject<String, Never>()

    let patient = results(of: terms, scheduler: scheduler.eraseToAnyScheduler()).record()
    let hasty = results(of: terms, scheduler: .immediate).record()
    terms.send("cat")
    scheduler.advance(by: .milliseconds(299))
    let early = patient.values
    scheduler.advance(by: .milliseconds(1))

    #expect(early == [])
    #expect(patient.values == ["cat"])
    #expect(hasty.values == ["cat"])
  }

  @Test("`AnyScheduler` wraps a global dispatch queue")
  func global() async {
    let scheduler: AnySchedulerOf<DispatchQueue> = .global(qos: .userInitiated)

    let recorder = [1, 2, 3].publisher.receive(on: scheduler).record()

    #expect(await recorder.received(3) == [1, 2, 3])
  }

  @Test("`AnyScheduler` wraps a run loop and accepts actions from any thread")
  func loop() async {
    let loop = LoopThread()
    let scheduler = loop.loop.eraseToAnyScheduler()

    let recorder = await Task.detached { [1, 2, 3].publisher.receive(on: scheduler).record() }.value

    #expect(await recorder.received(3) == [1, 2, 3])
    #expect(loop.stop())
  }

  @Test("The main `AnyScheduler` reports the time of the wrapped scheduler")
  func main() {
    let (queue, operations, loop) = (
      AnySchedulerOf<DispatchQueue>.main, AnySchedulerOf<OperationQueue>.main, AnySchedulerOf<RunLoop>.main
    )

    #expect(queue.now <= DispatchQueue.main.now)
    #expect(operations.now <= OperationQueue.main.now)
    #expect(loop.now <= RunLoop.main.now)
  }
}
