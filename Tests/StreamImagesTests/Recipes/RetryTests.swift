import Foundation
import StreamImages
import StreamsTesting
import Testing

@Suite("`retryImage`", .timeLimit(.minutes(20)))
struct RetryTests {
  private let scheduler = VirtualScheduler.virtual

  private func policy(_ configure: (inout ImageRetryPolicy) -> Void = { _ in }) -> ImageRetryPolicy {
    var policy = ImageRetryPolicy(jitter: 0)
    configure(&policy)
    return policy
  }

  /// Fails so many times, then sends how often it was asked.
  private func flaky(_ failures: Int, _ error: ImagePipeline.Error) -> (
    Deferred<AnyPublisher<Int, ImagePipeline.Error>>, Shared<Int>
  ) {
    let attempts = Shared(0)
    let publisher = Deferred { () -> AnyPublisher<Int, ImagePipeline.Error> in
      attempts.change { $0 += 1 }
      return attempts.value <= failures
        ? Fail(error: error).eraseToAnyPublisher()
        : Just(attempts.value).setFailureType(to: ImagePipeline.Error.self).eraseToAnyPublisher()
    }
    return (publisher, attempts)
  }

  private let lost = ImagePipeline.Error.dataLoadingFailed(.connectionLost(.idle, reason: "test"))

  @Test("Each retry waits longer, and the final value is delivered")
  func backoff() {
    let (publisher, attempts) = flaky(3, lost)
    let recorder = publisher.retryImage(policy(), on: scheduler).record()

    #expect(attempts.value == 1)
    for (seconds, count) in [(0.9, 1), (0.1, 2), (1.9, 2), (0.1, 3), (3.9, 3), (0.1, 4)] {
      scheduler.advance(by: .seconds(seconds))
      #expect(attempts.value == count)
    }

    #expect(recorder.values == [4] && recorder.completions.count == 1)
  }

  @Test("The last failure is delivered, and a permanent one immediately")
  func givingUp() {
    let (always, attempts) = flaky(100, lost)
    let recorder = always.retryImage(policy { $0.maximumRetries = 2 }, on: scheduler).record()
    scheduler.run()
    #expect(attempts.value == 3 && recorder.completions.count == 1)

    for error in [ImagePipeline.Error.dataIsEmpty, .decodingFailed(CancellationError()), .cancelled] {
      let (publisher, attempts) = flaky(100, error)
      let recorder = publisher.retryImage(policy(), on: scheduler).record()
      #expect(attempts.value == 1 && recorder.completions.count == 1)
    }
  }

  @Test("A retry waits as long as the Retry-After header specifies")
  func retryAfter() throws {
    let url = try #require(URL(string: "https://example.org"))
    let head = LoadedHead(status: 503, headers: ["Retry-After": "7"], url: url)
    let (publisher, attempts) = flaky(1, .dataLoadingFailed(.status(503, head: head)))
    let recorder = publisher.retryImage(policy(), on: scheduler).record()

    scheduler.advance(by: 6.9)
    #expect(attempts.value == 1)
    scheduler.advance(by: 0.1)

    #expect(recorder.values == [2])
  }

  @Test("Cancelling during the wait stops the retries")
  func cancelling() {
    let (publisher, attempts) = flaky(100, lost)
    let recorder = publisher.retryImage(policy(), on: scheduler).record()

    recorder.cancel()
    scheduler.run()

    #expect(attempts.value == 1 && recorder.completions.isEmpty)
  }

  @Test("A lost connection is loaded again by the pipeline")
  func pipeline() async throws {
    let bench = Bench()
    bench.loader.fail(bench.url, with: .connectionLost(.idle, reason: "test"))
    let recorder = bench.pipeline().imagePublisher(with: bench.url).retryImage(policy(), on: scheduler)
      .record()
    await until { bench.loader.loads(of: bench.url) == 1 }
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))

    while recorder.completions.isEmpty, !Task.isCancelled {
      await scheduler.advance(by: 1)
      await Task.yield()
    }

    #expect(recorder.values.map(\.image.width) == [8] && bench.loader.loads(of: bench.url) == 2)
  }
}
