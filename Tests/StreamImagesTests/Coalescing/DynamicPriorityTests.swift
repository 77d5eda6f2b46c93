import StreamImages
import Testing

@Suite("`DynamicPriority`")
struct DynamicPriorityTests {
  @Test("The latest change of a priority wins, in whatever order changes arrive")
  func order() {
    let priority = DynamicPriority(.normal)

    priority.set(.high, change: 2)
    priority.set(.low, change: 1)
    priority.set(.veryLow, change: 2)

    #expect(priority.current == .high)
  }

  @Test("A change of priority propagates through any number of jobs and notifies observers")
  func changes() {
    let request = DynamicPriority(.normal)
    let (upper, lower) = (DynamicPriority(.veryLow), DynamicPriority(.veryLow))
    let memberships = [upper.add(request), lower.add(upper)]
    let seen = Guarded<[ImageRequest.Priority]>([])
    let watch = lower.observe { seen.withLock { $0.append(lower.current) } }

    request.set(.veryHigh)
    request.set(.low)
    memberships[0].cancel()

    #expect(seen.withLock { $0 } == [.veryHigh, .low, .veryLow])
    watch.cancel()
    memberships[1].cancel()
    #expect(seen.withLock { $0.count } == 3)
  }

  @Test("A waiter that does not change the highest priority causes no notification")
  func quietWaiters() {
    let job = DynamicPriority(.veryLow)
    let changes = Guarded(0)
    let watch = job.observe { changes.withLock { $0 += 1 } }
    let waiters = (0..<100).map { _ in DynamicPriority(.normal) }

    let memberships = waiters.map { job.add($0) }
    for waiter in waiters { waiter.set(.high) }
    for waiter in waiters { waiter.set(.low) }
    for membership in memberships { membership.cancel() }

    // Up to normal and to high, down to low when the last one falls, and to its own when the last one leaves.
    #expect(changes.withLock { $0 } == 4)
    watch.cancel()
  }

  @Test("The highest priority of the waiters counts, for every order of theirs")
  func levels() {
    let all = ImageRequest.Priority.allCases
    for own in all {
      for first in all {
        for second in all {
          let (job, waiters) = (DynamicPriority(own), [DynamicPriority(first), DynamicPriority(second)])
          let memberships = waiters.map { job.add($0) }
          #expect(job.current == max(own, first, second) && job.counts == (2, 0))
          waiters[0].set(second)
          #expect(job.current == max(own, second))
          waiters[1].set(first)
          #expect(job.current == max(own, first, second))
          memberships[0].cancel()
          #expect(job.current == max(own, first))
          memberships[0].cancel()
          memberships[1].cancel()
          #expect(job.current == own && job.counts == (0, 0))
          #expect(waiters.map(\.counts.observers) == [0, 0])
        }
      }
    }
  }

  @Test("The first numbered change has an effect, and so does any later one")
  func firstChange() {
    let priority = DynamicPriority(.normal)

    priority.set(.high, change: 0)
    #expect(priority.current == .normal)
    priority.set(.high, change: 1)
    #expect(priority.current == .high)
    priority.set(.low, change: 3)
    #expect(priority.current == .low)
  }

  @Test("A change and progress reach everyone that a priority is shared with")
  func everyone() {
    let request = DynamicPriority(.normal)
    let jobs = (0..<3).map { _ in DynamicPriority(.veryLow) }
    let memberships = jobs.map { $0.add(request) }
    let (calls, heard) = (Guarded([0, 0]), Guarded<[Int]>([]))
    let watches = (0..<2).map { index in request.observe { calls.withLock { $0[index] += 1 } } }
    request.set(.high)
    #expect(jobs.map(\.current) == [.high, .high, .high] && calls.withLock { $0 } == [1, 1])

    let listeners = (0..<3).map { index in
      DynamicPriority(.normal) { progress in
        heard.withLock { $0.append(index * 1_000 + progress.completed) }
      }
    }
    let upper = DynamicPriority(.veryLow)
    let more = [
      upper.add(listeners[0]), upper.add(listeners[1]), jobs[0].add(upper), jobs[0].add(listeners[2]),
    ]
    jobs[0].report(LoadProgress(completed: 7, total: 9))
    #expect(heard.withLock { $0.sorted() } == [7, 1_007, 2_007])
    for membership in memberships + more { membership.cancel() }
    for watch in watches { watch.cancel() }
    jobs[0].report(LoadProgress(completed: 8, total: 9))
    request.set(.low)
    #expect(heard.withLock { $0.count } == 3 && calls.withLock { $0 } == [1, 1])
    #expect(request.counts == (0, 0))
  }
}
