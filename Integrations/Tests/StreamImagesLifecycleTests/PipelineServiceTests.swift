import Foundation
import Logging
import ServiceLifecycle
import ServiceLifecycleTestKit
import StreamImages
import StreamImagesLifecycle
import StreamImagesTesting
import StreamsTesting
import Synchronization
import Testing

@Suite("A pipeline as a service", .timeLimit(.minutes(2)))
struct PipelineServiceTests {
  /// Stores when a latch is open.
  private struct SlowCache: DataCaching {
    let journal: Journal
    let begun = Latch()
    let latch = Latch()

    func data(for key: DataCacheKey) async -> CachedData? { nil }
    func store(_ data: CachedData, for key: DataCacheKey) async throws(DataCacheError) {
      begun.open()
      await latch.wait()
      journal.note("stored")
    }
    func contains(_ key: DataCacheKey) async -> Bool { false }
    func remove(_ key: DataCacheKey) async {}
    func removeAll() async {}
  }

  private struct Server: Service {
    let journal: Journal

    func run() async throws {
      try await gracefulShutdown()
      journal.note("server ended")
    }
  }

  private let journal = Journal()
  private let loader = ScriptedLoader()
  private let url = URL(string: "https://images.example/a.png")!

  @Test("A graceful shutdown ends the server, then stores what is in flight, and then ends the pipeline")
  func graceful() async throws {
    loader.answer(url, with: try Pictures.png(4, 4))
    let cache = SlowCache(journal: journal)
    let pipeline = ImagePipeline {
      ($0.dataLoader, $0.dataCache, $0.imageCache) = (loader, cache, nil)
    }
    let group = ServiceGroup(
      services: [PipelineService(pipeline), Server(journal: journal)], logger: Logger(label: "test"))

    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask {
        try await group.run()
        journal.note("group ended")
      }
      _ = try await pipeline.image(for: url)
      await cache.begun.wait()
      await group.triggerGracefulShutdown()
      while journal.lines.isEmpty { await Task.yield() }
      cache.latch.open()
      try await tasks.waitForAll()
    }

    #expect(journal.lines == ["server ended", "stored", "group ended"])
  }

  /// A pipeline with an image in flight to a cache.
  private func pipeline(storingIn cache: SlowCache) async throws -> ImagePipeline {
    loader.answer(url, with: try Pictures.png(4, 4))
    let pipeline = ImagePipeline {
      ($0.dataLoader, $0.dataCache, $0.imageCache) = (loader, cache, nil)
    }
    _ = try await pipeline.image(for: url)
    await cache.begun.wait()
    return pipeline
  }

  @Test("A pipeline that is cancelled does not wait for what is in flight")
  func cancelled() async throws {
    let cache = SlowCache(journal: journal)
    let pipeline = try await pipeline(storingIn: cache)
    let running = Task { try await PipelineService(pipeline).run() }

    running.cancel()

    await #expect(throws: CancellationError.self) { try await running.value }
    #expect(journal.lines == [])
    cache.latch.open()
    await pipeline.flush()
  }

  @Test("A group whose time for a graceful shutdown is over does not wait for what is in flight")
  func overtime() async throws {
    let cache = SlowCache(journal: journal)
    let pipeline = try await pipeline(storingIn: cache)
    let executor = StepwiseExecutor()
    let running = await testGracefulShutdown { trigger in
      let running = Task(executorPreference: executor) {
        try await PipelineService(pipeline).run()
        journal.note("service ended")
      }
      executor.runAll()
      trigger.triggerGracefulShutdown()
      return running
    }
    // The shutdown arrives, and the service waits for the cache.
    await executor.waitForJob()
    executor.runAll()

    running.cancel()
    executor.runAll()

    #expect(journal.lines == ["service ended"])
    cache.latch.open()
    await pipeline.flush()
  }
}

/// Runs the jobs of a task when a test says so.
private final class StepwiseExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  func waitForJob() async {
    while jobs.withLock({ $0.isEmpty }), !Task.isCancelled { await Task.yield() }
  }

  /// Runs all jobs, and those that they add.
  func runAll() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
