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

  @Test("A task cancelled in advance takes no token from the rate limiter")
  func cancelledBefore() async {
    let (limiter, begun) = (limiter(10, burst: 1), Shared<[Int]>([]))
    let cancelled = Task {
      await until { false }
      return (try? await limiter.take()) != nil
    }
    cancelled.cancel()
    #expect(await !cancelled.value)

    _ = await contenders(0..<1, limiter, begun)
    #expect(begun.value == [0])
  }

  @Test("An idle rate limiter refills up to its burst")
  func refilling() async {
    let (limiter, begun) = (limiter(10, burst: 2), Shared<[Int]>([]))
    _ = await contenders(0..<2, limiter, begun)

    await scheduler.advance(by: .seconds(3_600))
    _ = await contenders(2..<5, limiter, begun)

    #expect(begun.value == [0, 1, 2, 3] && limiter.waiting == 1)
    await scheduler.advance(by: .seconds(1))
    await until { begun.value.count == 5 }
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
    for _ in 0..<1_000 where second.status.result == nil { await scheduler.advance(by: .seconds(1)) }
    try #require(second.status.result != nil, "\(second.status), \(scheduler.pending) actions scheduled")

    #expect(try await second.image.width == 8)
  }
}
