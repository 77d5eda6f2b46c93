import Dispatch
import Foundation
import Streams
import StreamsExtras
import StreamsFoundation
import StreamsFoundationExtras
import StreamsTesting
import Testing

@Suite("`UnimplementedScheduler`")
struct UnimplementedSchedulerTests {
  @Test("Using an unimplemented scheduler stops the program")
  func traps() async {
    await #expect(processExitsWith: .failure) { DispatchQueue.unimplemented.schedule {} }
    await #expect(processExitsWith: .failure) { _ = RunLoop.unimplemented("here").now }
    await #expect(processExitsWith: .success) { _ = OperationQueue.unimplemented }
  }

  @Test("The message of an unimplemented scheduler contains its name and use")
  func words() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      DispatchQueue.unimplemented("Search").schedule {}
    }

    let words = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(words.contains("Search: a scheduler was used that must not be: schedule"))
  }

  @Test("A handler of an unimplemented scheduler receives each use, and no action runs")
  func reports() {
    let journal = Journal()
    let scheduler = UnimplementedSchedulerOf<DispatchQueue>("Search", now: DispatchQueue.immediate.now) {
      journal.note($0.rawValue)
    }

    scheduler.schedule { journal.note("ran") }
    scheduler.schedule(after: DispatchQueue.immediate.now, tolerance: 0) { journal.note("ran") }
    scheduler.schedule(after: DispatchQueue.immediate.now, interval: 1, tolerance: 0) { journal.note("ran") }
      .cancel()
    _ = scheduler.now.advanced(by: scheduler.minimumTolerance)

    #expect(
      journal.lines == [
        "schedule", "schedule(after:)", "schedule(after:interval:)", "now", "minimumTolerance",
      ])
    #expect(scheduler.uses == [.schedule, .scheduleAfter, .scheduleInterval, .now, .minimumTolerance])
    #expect(scheduler.prefix == "Search")
  }

  @Test(
    "An unimplemented scheduler is available as an `AnyScheduler`")
  func erasedNames() async {
    let journal = Journal()
    let queue: AnySchedulerOf<DispatchQueue> = .unimplemented("queue") {
      journal.note("queue: \($0.rawValue)")
    }
    let operations: AnySchedulerOf<OperationQueue> = .unimplemented("operations") {
      journal.note("operations: \($0.rawValue)")
    }
    let loop: AnySchedulerOf<RunLoop> = .unimplemented("loop") { journal.note("loop: \($0.rawValue)") }
    let main: AnySchedulerOf<UIScheduler> = .unimplemented("main") { journal.note("main: \($0.rawValue)") }

    queue.schedule {}
    operations.schedule {}
    loop.schedule {}
    main.schedule {}

    #expect(journal.lines == ["queue: schedule", "operations: schedule", "loop: schedule", "main: schedule"])
    await #expect(processExitsWith: .failure) { AnySchedulerOf<DispatchQueue>.unimplemented.schedule {} }
    await #expect(processExitsWith: .failure) { AnySchedulerOf<OperationQueue>.unimplemented.schedule {} }
    await #expect(processExitsWith: .failure) { AnySchedulerOf<RunLoop>.unimplemented.schedule {} }
    await #expect(processExitsWith: .failure) { AnySchedulerOf<UIScheduler>.unimplemented.schedule {} }
  }

  @Test("An unimplemented scheduler replaces a queue or a run loop")
  func names() {
    let journal = Journal()

    OperationQueue.unimplemented("operations") { journal.note($0.rawValue) }.schedule {}
    RunLoop.unimplemented("loop") { journal.note($0.rawValue) }.schedule {}
    DispatchQueue.unimplemented("queue") { journal.note($0.rawValue) }.eraseToAnyScheduler().schedule {}

    #expect(journal.lines == ["schedule", "schedule", "schedule"])
  }
}

@Suite("`TestScheduler`: queues and run loops")
struct TestSchedulerNameTests {
  @Test("A test advances the time of test queues and test run loops")
  func names() {
    let (queue, operations, loop) = (DispatchQueue.test, OperationQueue.test, RunLoop.test)
    let recorders = [
      Just(1).delay(for: .seconds(1), scheduler: queue).record(),
      Just(2).delay(for: .seconds(1), scheduler: operations.eraseToAnyScheduler()).record(),
      Just(3).delay(for: .seconds(1), scheduler: loop.eraseToAnyScheduler()).record(),
    ]

    let before = recorders.map(\.values)
    queue.advance(by: .seconds(1))
    operations.advance(by: .seconds(1))
    loop.advance(by: .seconds(1))

    #expect(before == [[], [], []])
    #expect(recorders.map(\.values) == [[1], [2], [3]])
  }
}
