import Foundation
import Streams
import StreamsExtras
import StreamsTesting
import Synchronization
import Testing

private enum Broken: Error { case once }

@Suite("`Future.value`")
struct FutureValueTests {
  @Test("`Future.value` returns the value each time it is awaited")
  func value() async {
    let runs = Atomic(0)
    let held = Guarded<Future<Int, Never>.Promise?>(nil)
    let future = Future<Int, Never> { promise in
      runs.wrappingAdd(1, ordering: .relaxed)
      held.withLock { $0 = promise }
    }
    let waiting = (0..<3).map { _ in Task(executorPreference: AtOnce()) { await future.value } }

    held.withLock { $0 }?(.success(3))
    held.withLock { $0 }?(.success(4))

    for task in waiting { #expect(await task.value == 3) }
    #expect(await future.value == 3)
    #expect(await future.value == 3)
    #expect(runs.load(ordering: .relaxed) == 1)
  }

  @Test("`Future.value` returns a value that is not `Sendable` within one actor")
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

  @Test("`Future.value` throws the typed failure")
  func failure() async {
    let future = Future<Int, Broken> { $0(.failure(.once)) }

    await #expect(throws: Broken.once) { try await future.value }
  }

  @Test("A future of an asynchronous closure runs it once, on the closure's actor")
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

  @Test("A future of an asynchronous closure accepts captured state that is not `Sendable`")
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

  @Test("Awaiting a future whose promise is released throws `CancellationError` if any error may be thrown")
  func abandoned() async {
    let future = Future<Int, any Error> { _ in }

    await #expect(throws: CancellationError.self) { try await future.value }
  }

  @Test("Awaiting a future in a cancelled task throws `CancellationError` if any error may be thrown")
  func cancelled() async {
    let held = Guarded<Future<Int, any Error>.Promise?>(nil)
    let future = Future<Int, any Error> { promise in held.withLock { $0 = promise } }
    let task = Task { try await future.value }

    task.cancel()

    await #expect(throws: CancellationError.self) { try await task.value }
    held.withLock { $0 }?(.success(1))
  }

  @Test("A task that is cancelled before or during its wait still waits for a future that never fails")
  func cannotFail() async {
    let held = Guarded<Future<Int, Never>.Promise?>(nil)
    let future = Future<Int, Never> { promise in held.withLock { $0 = promise } }
    let waiting = Task(executorPreference: AtOnce()) { await future.value }
    let late = Task(executorPreference: AtOnce()) {
      withUnsafeCurrentTask { $0?.cancel() }
      return await future.value
    }

    waiting.cancel()
    held.withLock { $0 }?(.success(1))

    #expect(await waiting.value == 1)
    #expect(await late.value == 1)
  }

  @Test("The runtime reports a wait for a never-failing future whose promise is released")
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
