import Dispatch
import Foundation
import Streams
import StreamsExtras
import StreamsFoundation
import StreamsFoundationExtras
import StreamsTesting
import Testing

@Suite("a scheduler that is handed in")
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

  @Test("may run everything here and now, in the place of a queue or a run loop")
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

  @Test("lets a test control the time of a function, as the reference shows")
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

  @Test("may be a queue of the system")
  func global() async {
    let scheduler: AnySchedulerOf<DispatchQueue> = .global(qos: .userInitiated)

    let recorder = [1, 2, 3].publisher.receive(on: scheduler).record()

    #expect(await recorder.received(3) == [1, 2, 3])
  }

  @Test("may be a run loop, scheduled on from any thread")
  func loop() async {
    let loop = LoopThread()
    let scheduler = loop.loop.eraseToAnyScheduler()

    let recorder = await Task.detached { [1, 2, 3].publisher.receive(on: scheduler).record() }.value

    #expect(await recorder.received(3) == [1, 2, 3])
    #expect(loop.stop())
  }

  @Test("may be the main one, and tells its time")
  func main() {
    let (queue, operations, loop) = (
      AnySchedulerOf<DispatchQueue>.main, AnySchedulerOf<OperationQueue>.main, AnySchedulerOf<RunLoop>.main
    )

    #expect(queue.now <= DispatchQueue.main.now)
    #expect(operations.now <= OperationQueue.main.now)
    #expect(loop.now <= RunLoop.main.now)
  }
}
