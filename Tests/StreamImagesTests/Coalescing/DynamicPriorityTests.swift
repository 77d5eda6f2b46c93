import StreamImages
import Testing

@Suite("DynamicPriority")
struct DynamicPriorityTests {
  @Test("is that of the most urgent who waits, and falls when that one leaves")
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

  @Test("keeps to the last change, in whatever order changes come")
  func order() {
    let priority = DynamicPriority(.normal)

    priority.set(.high, change: 2)
    priority.set(.low, change: 1)
    priority.set(.veryLow, change: 2)

    #expect(priority.current == .high)
  }

  @Test("follows changes, through any number of jobs, and tells those who watch")
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

  @Test("is not reported as changed by waiters that are no more urgent than the others")
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
