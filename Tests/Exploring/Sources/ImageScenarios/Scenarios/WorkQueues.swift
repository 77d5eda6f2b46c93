import Interleavings
@testable import StreamImages

/// Tasks that want a place in a queue, and what became of each.
private final class Crowd: @unchecked Sendable {  // fibers share one thread
  enum Outcome: Equatable { case done, cancelled, failed }

  let queue: WorkQueue
  let gauge: Gauge
  /// In the order in which they had their places.
  let order = Log<Int>()
  private(set) var outcomes: [Int: Outcome] = [:]
  private(set) var count = 0
  private let play: Play

  init(_ play: Play, width: Int, most: Int? = nil, capacity: Int = .max) {
    self.play = play
    queue = WorkQueue("explored", width: width, capacity: capacity)
    gauge = Gauge(isExclusive: (most ?? width) == 1)
  }

  @discardableResult
  func add(
    _ priority: DynamicPriority = DynamicPriority(.normal), weight: Int = 0,
    after signal: Signal? = nil, announcing announcement: Signal? = nil,
    _ work: @escaping () throws(ImagePipeline.Error) -> Void = {}
  ) -> Task<Void, Never> {
    let number = count
    count += 1
    let body = Sent(work)
    return play.task { [self] in
      signal?.wait()
      announcement?.set()
      do throws(ImagePipeline.Error) {
        try await queue.hold(priority, weight: weight) { () throws(ImagePipeline.Error) in
          try hold(number, weight, body.value)
        }
        outcomes[number] = .done
      } catch {
        outcomes[number] = error == .cancelled ? .cancelled : .failed
      }
    }
  }

  /// The same for a computation on a lane.
  @discardableResult
  func compute(_ work: @escaping (() -> Bool) -> Void = { _ in }) -> Task<Void, Never> {
    let number = count
    count += 1
    let body = Sent(work)
    return play.task { [self] in
      do throws(ImagePipeline.Error) {
        try await queue.run(DynamicPriority(.normal)) { [self] isCancelled throws(ImagePipeline.Error) in
          try hold(number, 0) { body.value(isCancelled) }
        }
        outcomes[number] = .done
      } catch {
        outcomes[number] = .cancelled
      }
    }
  }

  private func hold(
    _ number: Int, _ weight: Int, _ work: () throws(ImagePipeline.Error) -> Void
  ) throws(ImagePipeline.Error) {
    gauge.enter(max(1, weight))
    order.add(number)
    defer { gauge.leave(max(1, weight)) }
    try work()
  }

  /// What is wrong at the end. Whoever is not listed as cancelled must have had a place.
  func complaint(most: Int, mayBeCancelled: Set<Int> = []) -> String? {
    if gauge.most > most { return "Q1: \(gauge.most) at a time, of \(most)" }
    if queue.counts != (0, 0) { return "Q2: \(queue.counts) are left" }
    if outcomes.count != count { return "Q3: \(outcomes.count) of \(count) have returned" }
    for (number, outcome) in outcomes where outcome == .cancelled && !mayBeCancelled.contains(number) {
      return "Q3: \(number) is cancelled"
    }
    return nil
  }
}

extension ImageScenario {
  /// There are never more at work than there are places, each waiting task is resumed once, and no place is lost.
  static var workQueues: [ImageScenario] { places + cancelledPlaces + changedQueues + lanes }

  private static var places: [ImageScenario] {
    [
      ImageScenario("WorkQueue: three tasks, one place") { play in
        let crowd = Crowd(play, width: 1)
        for _ in 0..<3 { crowd.add() }
        return { crowd.complaint(most: 1) }
      },
      ImageScenario("WorkQueue: three tasks, two places") { play in
        let crowd = Crowd(play, width: 2)
        for _ in 0..<3 { crowd.add() }
        return { crowd.complaint(most: 2) }
      },
      ImageScenario("WorkQueue: weights") { play in
        let crowd = Crowd(play, width: 3, capacity: 3)
        for weight in [2, 1, 2] { crowd.add(weight: weight) }
        return { crowd.complaint(most: 3) }
      },
      ImageScenario("WorkQueue: work that fails gives its place back") { play in
        let crowd = Crowd(play, width: 1)
        crowd.add { () throws(ImagePipeline.Error) in throw .other }
        crowd.add()
        return { crowd.complaint(most: 1) }
      },
    ]
  }

  private static var cancelledPlaces: [ImageScenario] {
    [
      ImageScenario("WorkQueue: cancelled while it waits") { play in
        let crowd = Crowd(play, width: 1)
        crowd.add()
        let task = crowd.add()
        play.thread { task.cancel() }
        return { crowd.complaint(most: 1, mayBeCancelled: [1]) }
      },
      ImageScenario("WorkQueue: cancelled, and one behind it") { play in
        let crowd = Crowd(play, width: 1)
        crowd.add()
        let task = crowd.add()
        crowd.add()
        play.thread { task.cancel() }
        return { crowd.complaint(most: 1, mayBeCancelled: [1]) }
      },
      ImageScenario("WorkQueue: cancelled by two threads") { play in
        let crowd = Crowd(play, width: 1)
        crowd.add()
        let task = crowd.add()
        for _ in 0..<2 { play.thread { task.cancel() } }
        return { crowd.complaint(most: 1, mayBeCancelled: [1]) }
      },
      ImageScenario("WorkQueue: cancelled before it begins") { play in
        let crowd = Crowd(play, width: 1)
        crowd.add()
        crowd.add().cancel()
        return { crowd.complaint(most: 1, mayBeCancelled: [1]) }
      },
      // The first cannot end before the last has had its place, for which it must not matter that the heavy one waited.
      ImageScenario("WorkQueue: a heavy one is cancelled, a light one behind it starts") { play in
        let crowd = Crowd(play, width: 2, capacity: 2)
        let (isHeld, isQueued, hasRun) = (Signal(), Signal(), Signal())
        crowd.add(weight: 1) {
          isHeld.set()
          hasRun.wait()
        }
        let heavy = crowd.add(weight: 2, after: isHeld, announcing: isQueued)
        crowd.add(weight: 1, after: isQueued) { hasRun.set() }
        play.thread {
          isHeld.wait()
          heavy.cancel()
        }
        return { crowd.complaint(most: 2, mayBeCancelled: [1]) }
      },
    ]
  }

  private static var changedQueues: [ImageScenario] {
    [
      // The first ends only once the second has had a place, which there is only then.
      ImageScenario("WorkQueue: made wider while a task waits") { play in
        let crowd = Crowd(play, width: 1, most: 2)
        let (isHeld, hasRun) = (Signal(), Signal())
        crowd.add {
          isHeld.set()
          hasRun.wait()
        }
        crowd.add(after: isHeld) { hasRun.set() }
        play.thread { crowd.queue.width = 2 }
        return { crowd.complaint(most: 2) }
      },
      ImageScenario("WorkQueue: made narrower while tasks arrive") { play in
        let crowd = Crowd(play, width: 2)
        crowd.add()
        let isNarrow = Signal()
        play.thread {
          crowd.queue.width = 1
          isNarrow.set()
        }
        let late = Gauge()
        for _ in 0..<2 {
          crowd.add(after: isNarrow) {
            late.enter()
            late.leave()
          }
        }
        return { late.most > 1 ? "Q1: \(late.most) at a time, of 1" : crowd.complaint(most: 2) }
      },
      ImageScenario("WorkQueue: suspended and continued while tasks arrive") { play in
        let crowd = Crowd(play, width: 1)
        for _ in 0..<2 { crowd.add() }
        play.thread {
          crowd.queue.isSuspended = true
          crowd.queue.isSuspended = false
        }
        return { crowd.complaint(most: 1) }
      },
      // The priority is set while the task arrives. Whichever was first, the queue must count the new one.
      ImageScenario("WorkQueue: a priority is raised while its task arrives") { play in
        let crowd = Crowd(play, width: 1)
        let priority = DynamicPriority(.low)
        let (isHeld, isRaised) = (Signal(), Signal())
        crowd.add {
          isHeld.set()
          isRaised.wait()
          poll { crowd.queue.counts.waiting == 2 }
        }
        crowd.add(priority, after: isHeld)
        crowd.add(after: isHeld)
        play.thread {
          priority.set(.high)
          isRaised.set()
        }
        return { crowd.order.entries == [0, 1, 2] ? crowd.complaint(most: 1) : "Q4: \(crowd.order.entries)" }
      },
    ]
  }

  private static var lanes: [ImageScenario] {
    [
      ImageScenario("WorkQueue: two computations, one lane", servants: 1) { play in
        let crowd = Crowd(play, width: 1)
        for _ in 0..<2 { crowd.compute() }
        return { crowd.complaint(most: 1) }
      },
      ImageScenario("WorkQueue: two computations, two lanes", servants: 2) { play in
        let crowd = Crowd(play, width: 2)
        for _ in 0..<2 { crowd.compute() }
        return { crowd.complaint(most: 2) }
      },
      ImageScenario("WorkQueue: a computation is cancelled, one waits", servants: 1) { play in
        let crowd = Crowd(play, width: 1)
        let task = crowd.compute()
        crowd.compute()
        play.thread { task.cancel() }
        return { crowd.complaint(most: 1, mayBeCancelled: [0]) }
      },
      // It ends only when it is told that it is cancelled.
      ImageScenario("WorkQueue: a computation notices its cancellation", servants: 1) { play in
        let crowd = Crowd(play, width: 1)
        let isToldSo = Signal()
        let task = crowd.compute { isCancelled in
          isToldSo.wait()
          if !isCancelled() { Explorer.shared.fail("Q5: a computation does not see its cancellation") }
        }
        play.thread {
          task.cancel()
          isToldSo.set()
        }
        return { crowd.complaint(most: 1, mayBeCancelled: [0]) }
      },
    ]
  }
}
