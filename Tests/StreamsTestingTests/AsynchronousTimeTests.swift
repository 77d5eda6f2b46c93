import Streams
import StreamsTesting
import Testing

@Suite("`TestScheduler`: asynchronous code")
struct AsynchronousTimeTests {
  let scheduler = VirtualScheduler.virtual

  @Test("A test scheduler lets tasks schedule their next action between actions")
  func chains() async {
    let journal = Journal()
    let task = Task { [scheduler] in
      for number in 1...3 {
        await scheduler.rest(1)
        journal.note("\(number) at \(scheduler.now)")
      }
    }

    let isDone = await scheduler.run()
    await task.value

    #expect(isDone)
    #expect(journal.lines == ["1 at 1.0 s", "2 at 2.0 s", "3 at 3.0 s"])
  }

  @Test("Asynchronous `advance` of a test scheduler stops at the given time")
  func advances() async {
    let journal = Journal()
    let task = Task { [scheduler] in
      await scheduler.rest(1)
      journal.note("first")
      await scheduler.rest(1)
      journal.note("second")
    }

    await scheduler.advance(by: 1.5)
    let early = journal.lines
    await scheduler.advance(to: VirtualTime(2))
    await task.value

    #expect(early == ["first"])
    #expect(journal.lines == ["first", "second"])
    #expect(scheduler.now == VirtualTime(2))
  }

  @Test("Asynchronous `run` of a test scheduler gives up on endless actions")
  func givesUp() async {
    let journal = Journal()
    let timer = scheduler.schedule(after: VirtualTime(0), interval: 1) { journal.note("again") }

    let isDone = await scheduler.run(limit: 5)

    #expect(!isDone)
    #expect(journal.lines.count == 5)
    timer.cancel()
  }

  @Test(
    "A test scheduler waits for tasks started by an action, across a thousand actor changes"
  )
  func longChains() async {
    let counter = Counter()
    let journal = Journal()
    scheduler.schedule(after: VirtualTime(1)) {
      Task {
        for _ in 0..<1000 {
          await Task { @MainActor in await counter.add() }.value
          await MainActor.run {}
        }
        journal.note("\(await counter.count) turns")
      }
    }

    await scheduler.advance(by: 1)

    #expect(journal.lines == ["1000 turns"])
  }

  @Test("A test scheduler waits for main-actor tasks started by a model")
  func models() async {
    let model = Model()

    for turn in 1...20 {
      scheduler.schedule(after: scheduler.now.advanced(by: 1)) {
        Task { @MainActor in model.load() }
      }
      await scheduler.advance(by: 1)
      #expect(await model.loadedCount == turn)
    }
  }

  @Test("A test scheduler waits for a task that was started before")
  func earlierTask() async {
    let journal = Journal()
    let counter = Counter()
    let task = Task {
      for _ in 0..<1000 { await counter.add() }
      journal.note("done")
    }

    await scheduler.advance()

    #expect(journal.lines == ["done"])
    await task.value
  }

  @Test("A test scheduler gives up on a task that never ends")
  func restless() async {
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
    }

    await scheduler.advance(by: 1)

    #expect(!task.isCancelled)
    task.cancel()
  }

  @Test("A test scheduler runs actions on the actor of the caller")
  func isolation() async {
    await #expect(processExitsWith: .success) { await runOnTheMainActor() }
  }
}

/// As the test of a view model is written: all of it belongs to the main actor, the inner closure, too.
@MainActor
private func runOnTheMainActor() async {
  let scheduler = VirtualScheduler.virtual
  let lists = PassthroughSubject<[Int], Never>()
  let delayed = lists.delay(for: 1, scheduler: scheduler).map { all in all.filter { $0 > 1 } }.record()

  lists.send([1, 2])
  await scheduler.advance(by: 1)
  lists.send([3])
  await scheduler.advance(to: VirtualTime(2))
  await scheduler.run()

  #expect(delayed.values == [[2], [3]])
  delayed.cancel()
}

extension TestScheduler<VirtualTime, Never> {
  /// Waits for so long in virtual time.
  fileprivate func rest(_ stride: VirtualTime.Stride) async {
    await withCheckedContinuation { continuation in
      schedule(after: now.advanced(by: stride)) { continuation.resume() }
    }
  }
}

private actor Counter {
  private(set) var count = 0

  func add() { count += 1 }
}

@MainActor
private final class Model {
  private(set) var loadedCount = 0
  private let counter = Counter()

  func load() {
    Task {
      for _ in 0..<20 {
        await counter.add()
        await Task.detached {}.value
      }
      loadedCount += 1
    }
  }
}
