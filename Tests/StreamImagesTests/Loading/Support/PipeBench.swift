import Foundation
import StreamImages

/// A buffer between a writer and consumers that all do one step when the test wants.
struct PipeBench {
  enum Outcome: Equatable {
    case head(status: Int)
    case bytes(Int?)
    case whole(Int)
    case failed(DataLoadingError)
  }

  let source = CountingSource()
  let executor = SteppedExecutor()

  func pipe(_ limit: Int = 4) -> BodyPipe { BodyPipe(of: source, bufferedByteCount: limit) }

  func head(_ status: Int = 200) -> LoadedHead {
    LoadedHead(status: status, url: URL(string: "https://a.example/a")!)
  }

  func append(_ count: Int, to pipe: BodyPipe) -> BodyPipe.Room? {
    Data(count: count).withUnsafeBytes { pipe.append($0) }
  }

  func consume(
    _ read: @escaping @Sendable () async throws(DataLoadingError) -> Outcome
  ) -> Shared<Outcome?> {
    let outcome = Shared<Outcome?>(nil)
    Task(executorPreference: executor) {
      do throws(DataLoadingError) {
        let result = try await read()
        outcome.change { $0 = result }
      } catch {
        outcome.change { $0 = .failed(error) }
      }
    }
    executor.run()
    return outcome
  }

  func next(_ pipe: BodyPipe) -> Shared<Outcome?> {
    consume { () throws(DataLoadingError) in .bytes(try await pipe.next()?.count) }
  }

  func head(_ pipe: BodyPipe) -> Shared<Outcome?> {
    consume { () throws(DataLoadingError) in .head(status: try await pipe.head().status) }
  }

  func whole(_ pipe: BodyPipe) -> Shared<Outcome?> {
    consume { () throws(DataLoadingError) in .whole(try await pipe.whole().body.count) }
  }
}
