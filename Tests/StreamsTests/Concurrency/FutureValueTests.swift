import Foundation
import Streams
import StreamsExtras
import StreamsTesting
import Synchronization
import Testing

private enum Broken: Error { case once }

@Suite("A future")
struct FutureValueTests {
  @Test("gives its value to who waits, before and after it is there")
  func value() async {
    let future = Future<Int, Never> { $0(.success(3)) }

    #expect(await future.value == 3)
    #expect(await future.value == 3)
  }

  @Test("gives an actor what may not leave it")
  @MainActor
  func notSendable() async throws {
    final class Draft { var words = 1 }
    let (safe, failing) = (
      Future<Draft, Never> { $0(.success(Draft())) }, Future<Draft, Broken> { $0(.success(Draft())) }
    )

    let drafts = [await safe.value, try await failing.value]
    drafts[0].words += 1

    #expect(drafts.map(\.words) == [2, 1])
  }

  @Test("throws its failure, typed")
  func failure() async {
    let future = Future<Int, Broken> { $0(.failure(.once)) }

    await #expect(throws: Broken.once) { try await future.value }
  }

  @Test("is made of an asynchronous closure, which runs once, where it belongs")
  func operation() async throws {
    let runs = Atomic(0)
    let future = Future<Int, Never> { @MainActor in
      MainActor.preconditionIsolated()
      await Task.yield()
      return runs.wrappingAdd(1, ordering: .relaxed).newValue
    }

    #expect(await future.value == 1)
    #expect(await future.value == 1)
  }

  @Test("is made of what may not leave an actor, if it is given away")
  func sending() async throws {
    final class Draft { var words = 1 }
    let draft = Draft()

    let future = Future<Int, Broken> { () throws(Broken) in
      draft.words += 1
      if draft.words > 1 { throw .once }
      return draft.words
    }

    await #expect(throws: Broken.once) { try await future.value }
  }

  @Test("that nobody can fulfil any more ends the wait, if any error may be thrown")
  func abandoned() async {
    let future = Future<Int, any Error> { _ in }

    await #expect(throws: CancellationError.self) { try await future.value }
  }

  @Test("is not waited for by a cancelled task, if any error may be thrown")
  func cancelled() async {
    let held = Guarded<Future<Int, any Error>.Promise?>(nil)
    let future = Future<Int, any Error> { promise in held.withLock { $0 = promise } }
    let task = Task { try await future.value }

    task.cancel()

    await #expect(throws: CancellationError.self) { try await task.value }
    held.withLock { $0 }?(.success(1))
  }

  @Test("that cannot fail is waited for by a cancelled task, too")
  func cannotFail() async {
    let held = Guarded<Future<Int, Never>.Promise?>(nil)
    let future = Future<Int, Never> { promise in held.withLock { $0 = promise } }
    let task = Task { await future.value }

    task.cancel()
    held.withLock { $0 }?(.success(1))

    #expect(await task.value == 1)
  }

  @Test("that cannot fail and that nobody can fulfil any more is reported: the wait would never end")
  func reported() async throws {
    let result = try await #require(
      processExitsWith: .exitCode(7), observing: [\.standardErrorContent]
    ) {
      Task(executorPreference: AtOnce()) { await Future<Int, Never> { _ in }.value }
      _exit(7)
    }

    #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains("leaked its continuation"))
  }
}

/// Runs what it is given at once: a task has come to its first wait when its maker goes on.
private final class AtOnce: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }
}
