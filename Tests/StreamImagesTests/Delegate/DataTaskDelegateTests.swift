import Foundation
import StreamImages
import StreamsTesting
import Testing

@Suite("`ImagePipelineDelegate`: requests for bytes", .timeLimit(.minutes(20)))
struct DataTaskDelegateTests {
  /// Records the events of requests for bytes.
  private final class Listening: ImagePipelineDelegate {
    let journal = Journal()

    func task(_ task: ImageTask, didReceive event: ImageTask.Event) { journal.note("image") }

    func dataTask(_ task: DataTask, didReceive event: DataTask.Event) {
      switch event {
      case .progress: break
      case .preview: journal.note("preview")
      case .finished(.success(let response)): journal.note("\(response.data.count) bytes")
      case .finished(.failure(let error)): journal.note(error.code)
      }
    }
  }

  private let bench = Bench()
  private let delegate = Listening()

  @Test("The delegate receives the end of a request for bytes and of one for an encoded image, once each")
  func ends() async throws {
    let png = try Pictures.png(8, 4)
    bench.loader.answer(bench.url, with: png)
    bench.loader.fail(bench.other, with: .headTooLarge)
    let pipeline = bench.pipeline { $0.delegate = delegate }
    var encoded = ImageRequest(url: bench.other)
    encoded.encoding = .png

    _ = try await pipeline.data(for: bench.url)
    _ = try? await pipeline.encodedImage(for: encoded)

    await until { delegate.journal.lines.count >= 2 }
    // A request ends for its caller before the delegate is told, so the order is open.
    #expect(delegate.journal.lines.sorted() == ["\(png.count) bytes", DataLoadingError.headTooLarge.code])
  }

  @Test("The delegate receives a cancellation of a request for bytes")
  func cancellation() async {
    bench.loader.hold(bench.url)
    let task = bench.pipeline { $0.delegate = delegate }.dataTask(with: ImageRequest(url: bench.url))
    await bench.loader.waitForLoad(of: bench.url)

    task.cancel()

    #expect(delegate.journal.lines == ["pipeline.cancelled"])
  }
}
