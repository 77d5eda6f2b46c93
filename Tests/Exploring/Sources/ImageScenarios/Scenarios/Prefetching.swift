import Foundation
import Interleavings
@testable import StreamImages

/// A prefetcher, whose images a scenario makes.
private final class Prefetching: @unchecked Sendable {  // fibers share one thread
  let prefetcher: ImagePrefetcher
  let work = Work()
  let events = Log<String>()
  private let watches: [AnyCancellable]

  init(cached: Set<String> = [], width: Int = 1, to destination: ImagePrefetcher.Destination = .memoryCache) {
    let pipeline = ImagePipeline(cached: cached) { [work] in work.publisher($0) }
    let events = events
    prefetcher = ImagePrefetcher(
      pipeline: pipeline, destination: destination, maximumConcurrentRequests: width)
    watches = [
      prefetcher.reports.sink { _ in events.add("report") },
      prefetcher.completions.sink { events.add("completion") },
    ]
  }

  func start(_ names: String...) { prefetcher.start(with: names.map { ImageRequest($0) }) }
  func stop(_ names: String...) { prefetcher.stop(with: names.map { ImageRequest($0) }) }

  /// Ends what is going on, one after another.
  func settle() {
    var count = 0
    while let run = work.open, count < 8 {
      run.finish(count)
      count += 1
    }
  }

  /// What is wrong at the end, when all have ended that were not stopped.
  var complaint: String? {
    settle()
    if prefetcher.count != 0 { return "P1: \(prefetcher.count) requests are left" }
    if let run = work.open { return "J2: a run goes on for nobody: \(run.cancellations)" }
    if let place = events.entries.firstIndex(of: "completion"), place == 0 { return "P2: \(events.entries)" }
    return nil
  }
}

extension ImageScenario {
  /// No request is lost or loaded twice, there are as many at a time as there may be, and completions follow reports.
  static var prefetching: [ImageScenario] {
    [
      prefetch("two are started while one ends") { play, prefetching in
        prefetching.start("a")
        play.thread { prefetching.start("b") }
        play.thread { prefetching.work.open?.finish(1) }
        return {
          prefetching.events.entries.count { $0 == "report" } == 2 ? nil : "P3: \(prefetching.events.entries)"
        }
      },
      prefetch("the same is started twice") { play, prefetching in
        for _ in 0..<2 { play.thread { prefetching.start("a") } }
        return {
          prefetching.events.entries == ["report", "completion"] ? nil : "P3: \(prefetching.events.entries)"
        }
      },
      prefetch("stopped while it is started") { play, prefetching in
        play.thread { prefetching.start("a") }
        play.thread { prefetching.stop("a") }
        return nil
      },
      prefetch("stopped while it ends, and one waits") { play, prefetching in
        prefetching.start("a", "b")
        play.thread { prefetching.stop("a") }
        play.thread { prefetching.work.open?.finish(1) }
        return { prefetching.events.entries.last == "completion" ? nil : "P2: \(prefetching.events.entries)" }
      },
      prefetch("all are stopped while one is started") { play, prefetching in
        prefetching.start("a")
        play.thread { prefetching.prefetcher.stopAll() }
        play.thread { prefetching.start("b") }
        return nil
      },
      prefetch("stopped and started again while it ends") { play, prefetching in
        prefetching.start("a")
        play.thread {
          prefetching.stop("a")
          prefetching.start("a")
        }
        play.thread { prefetching.work.open?.finish(1) }
        return { prefetching.events.entries.contains("report") ? nil : "P3: \(prefetching.events.entries)" }
      },
      prefetch("paused and continued while one is started") { play, prefetching in
        play.thread {
          prefetching.prefetcher.isPaused = true
          prefetching.prefetcher.isPaused = false
        }
        play.thread { prefetching.start("a") }
        return {
          prefetching.events.entries == ["report", "completion"] ? nil : "P3: \(prefetching.events.entries)"
        }
      },
      // Changing the priority affects requests in flight, and all that are started.
      prefetch("the priority changes while one is started") { play, prefetching in
        play.thread { prefetching.start("a") }
        play.thread { prefetching.prefetcher.priority = .high }
        return nil
      } before: { prefetching in
        let priority = prefetching.work.open?.priority.current
        return priority == .high ? nil : "J5: \(String(describing: priority))"
      },
      prefetch("the priority is changed by two threads") { play, prefetching in
        prefetching.start("a")
        for priority in [ImageRequest.Priority.high, .veryHigh] {
          play.thread { prefetching.prefetcher.priority = priority }
        }
        return nil
      } before: { prefetching in
        let priority = prefetching.work.open?.priority.current
        return priority == prefetching.prefetcher.priority ? nil : "J5: \(String(describing: priority))"
      },
      prefetch("into the disk cache, stopped while it is started", servants: 1, to: .diskCache) {
        play, prefetching in
        play.thread { prefetching.start("a") }
        play.thread { prefetching.stop("a") }
        return nil
      },
      prefetch("all are stopped while one ends") { play, prefetching in
        prefetching.start("a")
        play.thread { prefetching.work.open?.finish(1) }
        play.thread { prefetching.prefetcher.stopAll() }
        return {
          prefetching.events.entries.count { $0 == "completion" } <= 1
            ? nil : "P2: \(prefetching.events.entries)"
        }
      },
      ImageScenario("ImagePrefetcher: a publisher is cancelled while one ends") { play in
        let work = Work()
        let pipeline = ImagePipeline(cached: []) { work.publisher($0) }
        let prefetcher = ImagePrefetcher(pipeline: pipeline)
        let log = Log<Int>()
        let subscription = prefetcher.publisher(for: [ImageRequest("a"), ImageRequest("b")]).sink { _ in
          log.add(1)
        }
        play.thread { work.open?.finish(1) }
        play.thread { subscription.cancel() }
        return { work.open == nil && log.entries.count <= 2 ? nil : "J2: a run goes on for nobody" }
      },
    ]
  }

  private static func prefetch(
    _ name: String, servants: Int = 0, to destination: ImagePrefetcher.Destination = .memoryCache,
    _ make: @escaping (Play, Prefetching) -> (() -> String?)?,
    before: @escaping (Prefetching) -> String? = { _ in nil }
  ) -> ImageScenario {
    ImageScenario("ImagePrefetcher: \(name)", servants: servants) { play in
      let prefetching = Prefetching(to: destination)
      let check = make(play, prefetching)
      return { before(prefetching) ?? prefetching.complaint ?? check?() }
    }
  }
}
