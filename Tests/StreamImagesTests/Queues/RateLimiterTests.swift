import Foundation
import StreamImages
import StreamsExtras
import StreamsTesting
import Testing

@Suite("`RateLimiter`", .timeLimit(.minutes(20)))
struct RateLimiterTests {
  private let scheduler = DispatchQueue.test

  private func limiter(_ perSecond: Int, burst: Int) -> RateLimiter {
    RateLimiter(RateLimit(perSecond: perSecond, burst: burst), scheduler: scheduler.eraseToAnyScheduler())
  }

  /// So many who want to begin, in order; tells who has.
  private func contenders(_ range: Range<Int>, _ limiter: RateLimiter, _ begun: Shared<[Int]>) async -> [Task<
    Void, Never
  >] {
    var tasks: [Task<Void, Never>] = []
    for index in range {
      let before = (limiter.waiting, begun.value.count)
      tasks.append(
        Task {
          guard (try? await limiter.take()) != nil else { return }
          begun.change { $0.append(index) }
        })
      await until { (limiter.waiting, begun.value.count) != before }
    }
    return tasks
  }

  @Test("A burst of loads passes the rate limiter at once, and others follow in order")
  func rate() async {
    let (limiter, begun) = (limiter(10, burst: 3), Shared<[Int]>([]))
    _ = await contenders(0..<6, limiter, begun)
    #expect(begun.value == [0, 1, 2] && limiter.waiting == 3)

    await scheduler.advance(by: .milliseconds(99))
    #expect(limiter.waiting == 3)
    await scheduler.advance(by: .milliseconds(1))
    await until { begun.value.count == 4 }
    await scheduler.advance(by: .milliseconds(100))
    await until { begun.value.count == 5 }
    await scheduler.advance(by: .milliseconds(100))
    await until { begun.value.count == 6 }

    #expect(begun.value == [0, 1, 2, 3, 4, 5])
  }

  @Test("A cancelled waiter receives no token from the rate limiter")
  func cancelling() async {
    let (limiter, begun) = (limiter(10, burst: 1), Shared<[Int]>([]))
    let tasks = await contenders(0..<4, limiter, begun)

    tasks[1].cancel()
    tasks[2].cancel()
    await until { limiter.waiting == 1 }
    await scheduler.advance(by: .milliseconds(100))
    await until { begun.value.count == 2 }

    #expect(begun.value == [0, 3])
  }

  @Test("The time since the last load counts towards the next token")
  func partialCredit() async {
    let (limiter, begun) = (limiter(10, burst: 1), Shared<[Int]>([]))
    _ = await contenders(0..<1, limiter, begun)
    await scheduler.advance(by: .milliseconds(60))
    _ = await contenders(1..<3, limiter, begun)

    await scheduler.advance(by: .milliseconds(39))
    #expect(limiter.waiting == 2)
    await scheduler.advance(by: .milliseconds(1))
    #expect(limiter.waiting == 1)
    await scheduler.advance(by: .milliseconds(99))
    #expect(limiter.waiting == 1)
    await scheduler.advance(by: .milliseconds(1))
    #expect(limiter.waiting == 0)

    await scheduler.advance(by: .seconds(1))
    await until { begun.value.count == 3 }
    #expect(begun.value == [0, 1, 2])
  }

  /// The error of a task that takes a token; `nil` if it has one.
  private func take(_ limiter: RateLimiter) -> Task<ImagePipeline.Error?, Never> {
    Task { await imageFailure { () throws(ImagePipeline.Error) in try await limiter.take() } }
  }

  @Test("A rate and a burst below one count as one, and a rate above one per nanosecond counts as that")
  func extremes() async {
    for (perSecond, burst, delay) in [
      (0, 0, 1_000_000_000), (-5, -5, 1_000_000_000), (1, 1, 1_000_000_000), (2_000_000_000, 1, 1),
      (.max, 0, 1),
    ] as [(Int, Int, Int)] {
      let limiter = limiter(perSecond, burst: burst)
      #expect(await take(limiter).value == nil)
      let second = take(limiter)
      await until { limiter.waiting == 1 }

      if delay > 1 {
        await scheduler.advance(by: .nanoseconds(delay - 1))
        #expect(limiter.waiting == 1)
      }
      await scheduler.advance(by: .nanoseconds(1))
      #expect(await second.value == nil)
    }
    let unlimited = limiter(1, burst: .max)
    for _ in 0..<100 { #expect(await take(unlimited).value == nil) }
  }

  @Test("A task that is cancelled while it waits for a token, or before, fails with a cancellation")
  func errors() async {
    let limiter = limiter(10, burst: 1)
    #expect(await take(limiter).value == nil)
    let waiting = take(limiter)
    await until { limiter.waiting == 1 }
    waiting.cancel()
    #expect(await waiting.value?.isCancellation == true)

    let error = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await imageFailure { () throws(ImagePipeline.Error) in try await limiter.take() }
    }.value
    #expect(error?.isCancellation == true && limiter.waiting == 0)
  }

  @Test("Credit does not exceed the burst, whatever is left of it")
  func leftCredit() async {
    let (limiter, begun) = (limiter(10, burst: 2), Shared<[Int]>([]))
    _ = await contenders(0..<1, limiter, begun)

    await scheduler.advance(by: .milliseconds(250))
    _ = await contenders(1..<4, limiter, begun)

    #expect(begun.value == [0, 1, 2] && limiter.waiting == 1)
    await scheduler.advance(by: .milliseconds(100))
    await until { begun.value.count == 4 }
    #expect(scheduler.pending == 0)
  }

  @Test("The rate limiter has one timer while tasks wait, and none otherwise")
  func timers() async {
    let (limiter, begun) = (limiter(10, burst: 1), Shared<[Int]>([]))
    _ = await contenders(0..<1, limiter, begun)
    #expect(scheduler.pending == 0)

    _ = await contenders(1..<4, limiter, begun)
    #expect(scheduler.pending == 1)
    for count in 2...4 {
      await scheduler.advance(by: .nanoseconds(99_999_999))
      #expect(limiter.waiting == 5 - count)
      await scheduler.advance(by: .nanoseconds(1))
      await until { begun.value.count == count }
      #expect(scheduler.pending == (count < 4 ? 1 : 0))
    }
  }

  @Test("A late timer admits all tasks for which there are tokens, and none overtakes a waiting one")
  func late() async {
    let (manual, begun) = (ManualScheduler(), Shared<[Int]>([]))
    let limiter = RateLimiter(RateLimit(perSecond: 10, burst: 3), scheduler: manual.eraseToAnyScheduler())
    _ = await contenders(0..<6, limiter, begun)
    #expect(begun.value == [0, 1, 2] && limiter.waiting == 3)

    manual.advance(by: .milliseconds(250))
    manual.runAll()
    await until { begun.value.count == 5 }
    #expect(limiter.waiting == 1 && manual.timers.value.count == 1)

    // Its timer is late again, and the first that waits has the token.
    manual.advance(by: .milliseconds(60))
    _ = await contenders(6..<7, limiter, begun)
    await until { begun.value.count == 6 }
    #expect(Set(begun.value) == [0, 1, 2, 3, 4, 5] && limiter.waiting == 1)
    manual.advance(by: .milliseconds(100))
    manual.runAll()
    await until { begun.value.count == 7 }
  }

  @Test("The rate limit applies to network loads, even past the queue, and not to closures")
  func pipeline() async throws {
    let bench = Bench()
    let urls = (0..<3).map { URL(string: "https://example.org/\($0).png") }
    for url in urls { bench.loader.answer(url, with: try Pictures.png(8, 4)) }
    let pipeline = bench.pipeline {
      $0.rateLimit = RateLimit(perSecond: 1, burst: 1)
      $0.scheduler = scheduler.eraseToAnyScheduler()
    }
    let bytes = try Pictures.png(4, 4)

    _ = try await pipeline.image(for: urls[0])
    let second = pipeline.imageTask(with: ImageRequest(url: urls[1], options: .skipDataLoadingQueue))
    _ = try await pipeline.image(for: ImageRequest(id: "a", data: { bytes }))
    #expect(bench.loader.loads(of: urls[1]) == 0)
    // The load may come to the limiter only after some of these seconds.
    while second.status.result == nil, !Task.isCancelled { await scheduler.advance(by: .seconds(1)) }

    #expect(try await second.image.width == 8)
  }
}
