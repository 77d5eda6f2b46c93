internal import Streams

/// The jobs in flight. Concurrent requests for the same result share one job.
///
/// A job starts with its first subscriber. It ends with its result, or when the last subscriber cancels. It has the
/// highest priority of its subscribers. Results are not stored; caches do that.
package final class JobTable<Key: Hashable & Sendable, Value: JobValue>: Sendable {
  /// Makes the work of a job, with the priority of the job.
  package typealias Work = @Sendable (DynamicPriority) -> FlowStep<Value>

  private let state: Guarded<State>

  /// - Parameter number: The numbers of its jobs are greater.
  package init(after number: UInt64 = 0) { state = Guarded(State(lastNumber: number)) }

  package var count: Int { state.withLock { $0.jobs.count } }

  /// The number of subscribers of all jobs.
  package var waitingCount: Int { state.withLock { $0.jobs.values.reduce(0) { $0 + $1.members.count } } }

  /// The priority of a job, or `nil` if there is none.
  package func priority(of key: Key) -> ImageRequest.Priority? {
    state.withLock { $0.jobs[key]?.priority }?.current
  }

  /// A step that delivers the result of the job `key`, and its previews from now on.
  ///
  /// - Parameter waiter: The priority of the subscriber.
  package func step(
    _ key: Key, for waiter: DynamicPriority, _ work: @escaping Work
  ) -> FlowStep<Value> {
    FlowStep { [self] run, receive in run.hold { join(key, receive, waiter, work) } }
  }

  /// Fails all jobs in flight, and all later ones.
  package func close(_ error: ImagePipeline.Error) {
    let jobs = state.withLock { state in
      state.closed = error
      defer { state.jobs = [:] }
      return Array(state.jobs.values)
    }
    for job in jobs { fail(job, error) }
  }

  // MARK: Subscribers

  private func join(
    _ key: Key, _ receive: @escaping FlowStep<Value>.Receiver, _ waiter: DynamicPriority, _ work: Work
  ) -> Membership? {
    switch state.withLock({ $0.admit(receive, to: key) }) {
    case .closed(let error):
      receive(.failure(error))
      return nil
    case .joined(let place, let job):
      let membership = Membership(self, key, place, job.priority.add(waiter))
      if place.isFirst {
        // If the subscriber has left meanwhile, the run is cancelled, and nothing begins.
        work(job.priority).begin(job.run) { [self] in pass($0, place, key) }
      }
      return membership
    }
  }

  /// The membership of a subscriber in a job.
  private final class Membership: Cancellable, Sendable {
    private let table: JobTable
    private let key: Key
    private let place: Place
    private let waiting: DynamicPriority.Membership

    init(_ table: JobTable, _ key: Key, _ place: Place, _ waiting: DynamicPriority.Membership) {
      (self.table, self.key, self.place, self.waiting) = (table, key, place, waiting)
    }

    deinit { waiting.cancel() }

    func cancel() {
      waiting.cancel()
      let (abandoned, member) = table.state.withLock { $0.dismiss(place, from: key) }
      abandoned?.run.cancel()
      withExtendedLifetime(member) {}
    }
  }

  // MARK: Results

  private func pass(_ outcome: FlowStep<Value>.Outcome, _ place: Place, _ key: Key) {
    switch outcome {
    case .success(let value) where value.isPreview:
      let members = state.withLock { state in
        state.jobs[key].flatMap { $0.number == place.job ? $0.members.elements : nil } ?? []
      }
      for member in members { member.receive(outcome) }
    case .success(let value):
      // Removed from the table first, so that a request made during delivery starts a new job.
      guard let job = state.withLock({ $0.take(place, from: key) }) else { return }
      var own = value
      own.job = place.job
      var shared = own
      shared.wasCoalesced = true
      for member in job.members.elements {
        member.receive(.success(member.number == place.member ? own : shared))
      }
    case .failure(let error):
      if let job = state.withLock({ $0.take(place, from: key) }) { fail(job, error) }
    }
  }

  private func fail(_ job: Job, _ error: ImagePipeline.Error) {
    job.run.cancel()
    for member in job.members.elements { member.receive(.failure(error)) }
  }
}

/// A value that jobs deliver.
package protocol JobValue: Sendable {
  /// Whether another value follows. The result is not a preview.
  var isPreview: Bool { get }
  /// Whether the job was started for another subscriber.
  var wasCoalesced: Bool { get set }
  /// The job that delivered it last. All its subscribers received the same value.
  var job: UInt64? { get set }
}

extension EncodedImage: JobValue {}
extension DecodedImage: JobValue {}

extension JobTable {
  private struct Member {
    let number: UInt64
    let receive: FlowStep<Value>.Receiver
  }

  private struct Job {
    let number: UInt64
    let priority = DynamicPriority(.veryLow)
    let run = StepRun()
    var members = NumberedList<Member>()

    /// Changed in place: a copy would copy the list of members.
    mutating func admit(_ member: Member) -> Admission {
      let place = Place(job: number, member: member.number, isFirst: member.number == number)
      members.append(member, number: member.number)
      return .joined(place, (priority, run))
    }
  }

  /// The place of a subscriber in a job.
  private struct Place {
    let job: UInt64
    let member: UInt64
    let isFirst: Bool
  }

  private enum Admission {
    case joined(Place, (priority: DynamicPriority, run: StepRun))
    case closed(ImagePipeline.Error)
  }

  private struct State {
    var jobs: [Key: Job] = [:]
    var closed: ImagePipeline.Error?
    var lastNumber: UInt64

    mutating func admit(_ receive: @escaping FlowStep<Value>.Receiver, to key: Key) -> Admission {
      if let closed { return .closed(closed) }
      lastNumber += 1
      return jobs[key, default: Job(number: lastNumber)].admit(Member(number: lastNumber, receive: receive))
    }

    /// - Returns: The job, if it has no members left, and the member that left. Both are released outside the lock.
    mutating func dismiss(_ place: Place, from key: Key) -> (job: Job?, member: Member?) {
      guard jobs[key]?.number == place.job else { return (nil, nil) }
      let member = jobs[key]?.members.remove(place.member)
      return (jobs[key]?.members.isEmpty == true ? jobs.removeValue(forKey: key) : nil, member)
    }

    mutating func take(_ place: Place, from key: Key) -> Job? {
      jobs[key]?.number == place.job ? jobs.removeValue(forKey: key) : nil
    }
  }
}
