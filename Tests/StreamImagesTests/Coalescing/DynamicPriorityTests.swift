import StreamImages
import Testing

@Suite("`DynamicPriority`")
struct DynamicPriorityTests {
  @Test("A job has the highest priority of its waiters, which falls when one leaves")
  func maximum() {
    let job = DynamicPriority(.veryLow)
    #expect(job.current == .veryLow)

    let low = job.add(DynamicPriority(.low))
    let high = job.add(DynamicPriority(.high))
    #expect(job.current == .high)

    high.cancel()
    #expect(job.current == .low)
    low.cancel()
    #expect(job.current == .veryLow)
  }

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
}
