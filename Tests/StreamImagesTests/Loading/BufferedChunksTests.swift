import Foundation
import StreamImages
import Testing

@Suite struct BufferedChunksTests {
  @Test("`BufferedChunks` delivers its bytes once")
  func once() async throws {
    let chunks = BufferedChunks(Data([1, 2]))

    #expect(try await chunks.next() == Data([1, 2]))
    #expect(try await chunks.next() == nil)
    chunks.cancel()
    #expect(try await chunks.next() == nil)
  }

  @Test("`BufferedChunks` delivers nothing after cancellation or to a cancelled task")
  func cancelled() async {
    let chunks = BufferedChunks(Data([1]))
    let others = BufferedChunks(Data([1]))

    chunks.cancel()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await failure { () throws(DataLoadingError) in try await others.next() }
    }

    #expect(await failure { () throws(DataLoadingError) in try await chunks.next() } == .cancelled)
    #expect(await task.value == .cancelled)
  }
}
