import Foundation
import LoopbackServer
import StreamImages
import StreamImagesTesting
import Testing

@Suite(.timeLimit(.minutes(20))) struct LoaderExecutorTests {
  @Test("Tasks that prefer the loader's executor stay on one thread")
  func oneThread() async throws {
    try await withLoopback { server, loader in
      server.serve("*", .bytes(pattern(1000)))

      let threads = try await withTaskExecutorPreference(loader.executor) {
        try await withThrowingTaskGroup { group in
          for name in 0..<20 {
            group.addTask {
              let before = thisThread()
              let body = try await loader.data(for: DataRequest(url: server.url("/\(name)"))).body
              #expect(body == pattern(1000))
              return [before, thisThread()]
            }
          }
          return try await group.reduce(into: Set<String>()) { $0.formUnion($1) }
        }
      }
      let elsewhere = await Task.detached { thisThread() }.value

      #expect(threads.count == 1)
      #expect(!threads.contains(elsewhere))
    }
  }

  @Test("Part of a task can run on the loader's executor and loads the same bytes")
  func partOfTask() async throws {
    try await withLoopback { server, loader in
      server.serve("/a", .bytes(pattern(200_000)))
      let url = server.url("/a")

      let body = try await withTaskExecutorPreference(loader.executor) {
        try await loader.data(for: DataRequest(url: url)).body
      }

      #expect(body == pattern(200_000))
    }
  }

  @Test("The loader's executor runs tasks that load nothing")
  func jobsAlone() async throws {
    try await withLoopback { _, loader in
      let count = await withTaskExecutorPreference(loader.executor) {
        var count = 0
        while count < 1000 {
          await Task.yield()
          count += 1
        }
        return count
      }

      #expect(count == 1000)
    }
  }

  @Test("Loads continue between the jobs of a busy task on the loader's executor")
  func fairness() async throws {
    try await withLoopback { server, loader in
      server.serve("/a", .bytes(pattern(300_000)))
      let isOver = Latch()
      let busy = Task(executorPreference: loader.executor) {
        while !isOver.isOpen { await Task.yield() }
      }

      let loaded = try? await loader.data(for: DataRequest(url: server.url("/a")))
      isOver.open()
      await busy.value

      #expect(loaded?.body == pattern(300_000))
    }
  }

  @Test("A task on the loader's executor can be cancelled during a load")
  func cancelling() async throws {
    try await withLoopback { server, loader in
      server.serve("/silent", .failing(.silence))
      let task = Task(executorPreference: loader.executor) {
        await failure { () throws(DataLoadingError) in
          try await loader.load(DataRequest(url: server.url("/silent")))
        }
      }
      _ = await server.waitForRequest("/silent")

      task.cancel()

      #expect(await task.value == .cancelled)
      #expect(await server.waitForDeparture(from: "/silent"))
    }
  }

  @Test("Invalidating a loader ends the tasks on its executor, and later tasks still run")
  func invalidating() async throws {
    try await withLoopback { server, loader in
      server.serve("/silent", .failing(.silence))
      let executor = loader.executor
      let tasks = (0..<10).map { _ in
        Task(executorPreference: executor) {
          await failure { () throws(DataLoadingError) in
            try await loader.load(DataRequest(url: server.url("/silent")))
          }
        }
      }
      _ = await server.waitForRequest("/silent")

      loader.invalidate()

      for task in tasks { #expect(await task.value == .invalidated) }
      for late in [executor, loader.executor] {
        #expect(await Task(executorPreference: late) { 7 }.value == 7)
      }
    }
  }

  @Test("A task on the loader's executor can invalidate the loader and continue")
  func invalidatingFromWithin() async throws {
    try await withLoopback { server, loader in
      server.serve("/a", .bytes(pattern(10)))

      let late = try await withTaskExecutorPreference(loader.executor) {
        _ = try await loader.data(for: DataRequest(url: server.url("/a")))
        loader.invalidate()
        await Task.yield()
        return await failure { () throws(DataLoadingError) in
          try await loader.load(DataRequest(url: server.url("/a")))
        }
      }

      #expect(late == .invalidated)
      // The thread cannot wait for itself: it closes them when the job has come to its end.
      await until { (try? Descriptors.count(connectedTo: server.port)) == 0 }
      #expect(try Descriptors.count(connectedTo: server.port) == 0)
    }
  }
}

private func thisThread() -> String { "\(pthread_self())" }
