import Foundation
import Interleavings
import StreamsExtras
@testable import StreamImages

extension ImageScenario {
  /// Reads of the disk, and a limit on how many loads start in a second.
  static var reading: [ImageScenario] { reads + rates }

  private static func reads(
    _ name: String, count: Int, cancels: Bool = false
  ) -> ImageScenario {
    ImageScenario("DiskReadQueue: \(name)", servants: 1) { play in
      let queue = DiskReadQueue(width: 1)
      let object = Sent(Explorer.shared.newObject())
      let folder = DiskFolder { _ in
        Explorer.shared.checkNoLockIsHeld("reading a file")
        Explorer.shared.point(object.value)
        return CachedData(Data([1]))
      }
      let log = Log<Bool>()
      let tasks = (0..<count).map { number in
        play.task { log.add(await queue.read(DataCacheKey("\(number)"), in: folder) != nil) }
      }
      if cancels { play.thread { tasks[0].cancel() } }
      return { check(queue, log, count: count, lost: cancels ? 1 : 0) }
    }
  }

  private static func check(_ queue: DiskReadQueue, _ log: Log<Bool>, count: Int, lost most: Int = 0)
    -> String?
  {
    let lost = log.entries.count { !$0 }
    if lost > most { return "D1: \(lost) reads found nothing" }
    if queue.counts != (0, 0) { return "Q2: \(queue.counts) are left" }
    return log.entries.count == count ? nil : "Q3: \(log.entries.count) have returned"
  }

  private static var reads: [ImageScenario] {
    [
      reads("two reads, one thread", count: 2),
      reads("a read is cancelled", count: 1, cancels: true),
      reads("one of two reads is cancelled", count: 2, cancels: true),
      // The first thread is blocked until the second read, for which another one must be woken.
      ImageScenario("DiskReadQueue: a thread is blocked, and another is woken", servants: 3) { play in
        let queue = DiskReadQueue(width: 2)
        let (isBlocked, isRead) = (Signal(), Signal())
        let folder = DiskFolder { key in
          if key == DataCacheKey("0") {
            isBlocked.set()
            isRead.wait()
          } else {
            isRead.set()
          }
          return CachedData(Data([1]))
        }
        let log = Log<Bool>()
        play.task { log.add(await queue.read(DataCacheKey("0"), in: folder) != nil) }
        play.task {
          isBlocked.wait()
          log.add(await queue.read(DataCacheKey("1"), in: folder) != nil)
        }
        return { check(queue, log, count: 2) }
      },
    ]
  }

  private static func rate(_ name: String, burst: Int, tasks count: Int, cancelling: Int? = nil)
    -> ImageScenario
  {
    ImageScenario("RateLimiter: \(name)", servants: 1) { play in
      let queue = DispatchQueue(label: "explored")
      let limiter = RateLimiter(RateLimit(perSecond: 1, burst: burst), scheduler: queue.eraseToAnyScheduler())
      let log = Log<Bool>()
      let tasks = (0..<count).map { _ in
        play.task {
          do throws(ImagePipeline.Error) {
            try await limiter.take()
            log.add(true)
          } catch {
            log.add(false)
          }
        }
      }
      if let cancelling { play.thread { tasks[cancelling].cancel() } }
      return {
        let taken = log.entries.count { $0 }
        if log.entries.count != count { return "Q3: \(log.entries.count) of \(count) have returned" }
        if taken < count - (cancelling == nil ? 0 : 1) { return "R1: \(count - taken) are cancelled" }
        let most = burst + TaskFibers.shared.nanoseconds / 1_000_000_000
        if taken > most { return "R2: \(taken) have started, of \(most)" }
        return limiter.waiting == 0 ? nil : "Q2: \(limiter.waiting) wait"
      }
    }
  }

  private static var rates: [ImageScenario] {
    [
      rate("two tasks, one at once", burst: 1, tasks: 2),
      rate("two tasks, two at once", burst: 2, tasks: 2),
      rate("one of two tasks is cancelled", burst: 1, tasks: 2, cancelling: 0),
    ]
  }
}
