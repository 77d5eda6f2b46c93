import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("Lifetimes", .leavesNothing)
struct LifetimesOfStreamsTests {
  @Test("`CancelBag` also cancels cancellables that are retained elsewhere")
  func heldElsewhere() {
    for cancel in [{ $0.cancel() }, { $0.cancelAll() }] as [(CancelBag) -> Void] {
      let script = Script(Int.self, failure: Never.self), bag = CancelBag()
      let held = script.sink { _ in }
      bag.insert(held)

      cancel(bag)

      #expect(script.cancellations == 1)
      withExtendedLifetime(held) {}
    }
  }

  @Test("`SerialCancellable` cancels the previous cancellable when the next one is stored")
  func serial() {
    let scripts = (0..<3).map { _ in Script(Int.self, failure: Never.self) }
    let holder = SerialCancellable()

    scripts[0].sink { _ in }.store(in: holder)
    scripts[1].sink { _ in }.store(in: holder)
    let before = scripts.map(\.cancellations)
    holder.cancel()
    scripts[2].sink { _ in }.store(in: holder)

    #expect(before == [1, 0, 0])
    #expect(scripts.map(\.cancellations) == [1, 1, 1])
  }

  @Test("`Using` releases its resource once, before or after the completion, or at cancellation")
  func using() {
    let journal = Journal()
    let scripts = (0..<3).map { _ in Script(Int.self, failure: Problem.self) }
    let recorders = scripts.enumerated().map { index, script in
      MorePublishers.Using(releasesFirst: index != 1) { () throws(Problem) in
        index
      } publisher: { _ in
        script
      } release: { number in
        journal.note("released \(number)")
      }.record { recorder in
        recorder.name = "\(index)"
        recorder.journal = journal
      }
    }

    scripts[0].end()
    scripts[1].end()
    recorders[2].cancel()
    recorders[2].cancel()

    #expect(
      journal.lines.filter { !$0.hasSuffix("subscription") }
        == ["released 0", "0: finished", "1: finished", "released 1", "released 2"])
  }

  @Test(
    "`Using` does not use a resource that was released because its creation cancelled",
    arguments: [false, true])
  func usingCancelled(releasesFirst: Bool) {
    var log: [String] = []
    let recorder = Recorder<Int, Never>()

    MorePublishers.Using(releasesFirst: releasesFirst) { () throws(Never) in
      recorder.cancel()
      return 1
    } publisher: { number in
      log.append("used \(number)")
      return Just(number)
    } release: { number in
      log.append("released \(number)")
    }.subscribe(recorder)

    #expect(log == ["released 1"])
    #expect(recorder.events == [.subscription])
  }

  @Test("`Using` fails if its resource cannot be created")
  func usingFails() {
    let recorder = MorePublishers.Using { () throws(Problem) -> Int in
      throw Problem(code: 3)
    } publisher: { _ in
      Empty<Int, Problem>()
    } release: { _ in
    }.record()

    #expect(recorder.events == [.subscription, .completion(.failure(Problem(code: 3)))])
  }

  @Test("`doFinally` reports completion, failure and cancellation once each")
  func finally() {
    let scripts = (0..<3).map { _ in Script(Int.self, failure: Problem.self) }
    var told: [Termination<Problem>] = []
    var count = 0
    let recorders = scripts.map { $0.doFinally { told.append($0) }.onTerminate { count += 1 }.record() }

    scripts[0].end()
    scripts[1].end(.failure(Problem(code: 1)))
    recorders[2].cancel()
    recorders[0].cancel()

    #expect(told == [.finished, .failure(Problem(code: 1)), .cancelled])
    #expect(count == 3)
  }
}
