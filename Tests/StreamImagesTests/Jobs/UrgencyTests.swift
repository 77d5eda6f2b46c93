import StreamImages
import Testing

@Suite("Urgency")
struct UrgencyTests {
  @Test("is that of the most urgent who waits, and falls when that one leaves")
  func maximum() {
    let job = Urgency(.veryLow)
    #expect(job.priority == .veryLow)

    let low = job.add(Urgency(.low))
    let high = job.add(Urgency(.high))
    #expect(job.priority == .high)

    high.cancel()
    #expect(job.priority == .low)
    low.cancel()
    #expect(job.priority == .veryLow)
  }

  @Test("keeps to the last change, in whatever order changes come")
  func order() {
    let urgency = Urgency(.normal)

    urgency.set(.high, change: 2)
    urgency.set(.low, change: 1)
    urgency.set(.veryLow, change: 2)

    #expect(urgency.priority == .high)
  }

  @Test("follows changes, through any number of jobs, and tells those who watch")
  func changes() {
    let request = Urgency(.normal)
    let (upper, lower) = (Urgency(.veryLow), Urgency(.veryLow))
    let memberships = [upper.add(request), lower.add(upper)]
    let seen = Guarded<[ImageRequest.Priority]>([])
    let watch = lower.observe { seen.withLock { $0.append(lower.priority) } }

    request.set(.veryHigh)
    request.set(.low)
    memberships[0].cancel()

    #expect(seen.withLock { $0 } == [.veryHigh, .low, .veryLow])
    watch.cancel()
    memberships[1].cancel()
    #expect(seen.withLock { $0.count } == 3)
  }
}
