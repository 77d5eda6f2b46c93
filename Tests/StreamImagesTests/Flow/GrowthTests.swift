// The members of system structures belong to one of these modules: the one that the compiler has loaded first.
#if canImport(Glibc)
  import Glibc
#endif
#if canImport(CoreFoundation)
  import CoreFoundation
#endif
import Foundation
import StreamImages
import StreamImagesTesting
import StreamsTesting
import TestSupport
import Testing

/// Costs that must not grow with the number of requests in flight.
@Suite("`ImagePipeline`: growth", .serialized, .timeLimit(.minutes(5)))
struct GrowthTests {
  private let bench = Bench()

  @Test("The cost of joining, prioritizing and leaving a job does not grow with its requests")
  func sameImage() {
    func cost(_ count: Int) -> Double {
      let pipeline = bench.pipeline()
      pipeline.suspend(.loading)
      return processorTime(each: count) {
        let tasks = (0..<count).map { _ in pipeline.imageTask(with: bench.url) }
        for task in tasks { task.priority = .high }
        for task in tasks { task.cancel() }
      }
    }

    #expect(growth(from: 100, to: 1_600, cost) < 4)
  }

  @Test("The cost of a request does not grow with the number of waiting requests")
  func differentImages() {
    func cost(_ count: Int) -> Double {
      let pipeline = bench.pipeline()
      pipeline.suspend(.loading)
      return processorTime(each: count) {
        let tasks = (0..<count).map {
          pipeline.imageTask(with: URL(string: "https://example.org/\($0).png"))
        }
        for task in tasks { task.priority = .high }
        for task in tasks { task.cancel() }
      }
    }

    #expect(growth(from: 100, to: 1_600, cost) < 4)
  }
}

/// How many times as much as at `few` something costs at `many`. The least of three, because noise only adds.
private func growth(from few: Int, to many: Int, _ cost: (Int) -> Double) -> Double {
  let costs = (0..<3).map { _ in (cost(few), cost(many)) }
  return costs.map(\.1).min()! / costs.map(\.0).min()!
}

/// The time that this thread works, and not that for which it waits for the processor.
private func processorTime(each count: Int, _ body: () -> Void) -> Double {
  func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
  let start = now()
  body()
  return (now() - start) / Double(count)
}
