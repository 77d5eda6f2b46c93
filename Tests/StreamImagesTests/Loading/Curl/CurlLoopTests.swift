import Foundation
import StreamImages
import Testing

/// The thread that runs libcurl, without a loader around it.
@Suite("`CurlLoop`", .timeLimit(.minutes(5))) struct CurlLoopTests {
  private func chain() throws -> RedirectChain {
    try RedirectChain(DataRequest(url: URL(string: "https://a.example/x")!), limits: LoadLimits())
  }

  @Test("A loop that was stopped is over, can be stopped again, and takes no loads")
  func stopping() throws {
    let loop = try #require(CurlLoop(CurlLoader.Configuration()))
    let chain = try chain()
    #expect(!loop.isOver)

    for _ in 0..<3 {
      loop.stop()
      #expect(loop.isOver)
    }

    #expect(throws: DataLoadingError.invalidated) { try loop.start(chain, bufferedByteCount: 1) }
  }

  @Test(
    "Work that a loop has not begun when it is stopped does not wait: loads fail, and tasks run elsewhere")
  func abandoned() async throws {
    let loop = try #require(CurlLoop(CurlLoader.Configuration()))
    let chain = try chain()
    // On the thread of the loop, which reads what is put here when this task has come to its end.
    var (pipes, tasks) = await Task(executorPreference: loop) { () -> ([BodyPipe], [Task<Int, Never>]) in
      let pipes = (0..<2).compactMap { _ in try? loop.start(chain, bufferedByteCount: 1) }
      let tasks = (0..<3).map { number in Task(executorPreference: loop) { number } }
      loop.stop()
      return (pipes, tasks)
    }.value

    #expect(pipes.count == 2)
    for pipe in pipes {
      #expect(await failure { () throws(DataLoadingError) in try await pipe.whole() } == .invalidated)
    }
    for (number, task) in tasks.enumerated() { #expect(await task.value == number) }
    // It keeps nothing of them.
    weak var kept: BodyPipe?
    kept = pipes.first
    (pipes, tasks) = ([], [])
    await until { kept == nil }
    #expect(kept == nil && loop.isOver)
  }
}
