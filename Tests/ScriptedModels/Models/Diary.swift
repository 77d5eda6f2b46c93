/// What a model does later: jobs by the time at which they are due, then in the order in which they were put down.
struct Diary<Job: Equatable> {
  private var jobs: [(due: Int, job: Job)] = []
  /// How far time is moving; `nil` while it stands still, and nothing is done.
  private var end: Int?

  /// Notes how time moves. To be called with every stimulus.
  mutating func note(_ stimulus: Stimulus, _ now: inout Int) {
    switch stimulus {
    case .moving(let end): self.end = end
    case .rested:
      now = end ?? now
      end = nil
    default: break
    }
  }

  mutating func add(_ job: Job, at due: Int) { jobs.append((due, job)) }

  mutating func remove(_ job: Job) { jobs.removeAll { $0.job == job } }

  /// Takes the next job that is due, and goes to its time.
  mutating func next(_ now: inout Int) -> Job? {
    guard let end, let first = jobs.map(\.due).min(), first <= end,
      let place = jobs.firstIndex(where: { $0.due == first })
    else { return nil }
    now = max(now, first)
    return jobs.remove(at: place).job
  }
}
