package import Streams

/// The jobs in flight. Concurrent requests for the same result share one job.
///
/// A job starts with its first subscriber. It ends with its result, or when the last subscriber cancels. It has the
/// highest priority of its subscribers. Results are not stored; caches do that.
package final class JobTable<Key: Hashable & Sendable, Value: JobValue>: Sendable {
  /// Makes the work of a job, with the priority of the job.
  package typealias Work = (DynamicPriority) -> AnyPublisher<Value, ImagePipeline.Error>

  private let state = Guarded(State())

  package init() {}

  package var count: Int { state.withLock { $0.jobs.count } }

  /// The number of subscribers of all jobs.
  package var waitingCount: Int { state.withLock { $0.jobs.values.reduce(0) { $0 + $1.members.count } } }

  /// The priority of a job, or `nil` if there is none.
  package func priority(of key: Key) -> ImageRequest.Priority? {
    state.withLock { $0.jobs[key]?.priority }?.current
  }

  /// A publisher of the result of the job `key`, and of its previews from now on.
  ///
  /// - Parameter waiter: The priority of the subscriber.
  package func publisher(
    _ key: Key, for waiter: DynamicPriority, _ work: @escaping Work
  ) -> AnyPublisher<Value, ImagePipeline.Error> {
    ResultPublisher("Job") { [self] subscription in join(key, subscription, waiter, work) }
      .eraseToAnyPublisher()
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
    _ key: Key, _ subscription: ResultSubscription<Value, ImagePipeline.Error>, _ waiter: DynamicPriority,
    _ work: Work
  ) -> AnyCancellable {
    switch state.withLock({ $0.admit(subscription, to: key) }) {
    case .closed(let error):
      subscription.fail(error)
      return AnyCancellable {}
    case .joined(let place):
      let membership = place.priority.add(waiter)
      if place.isFirst { begin(place, key, work(place.priority)) }
      return AnyCancellable { [self] in
        membership.cancel()
        leave(place, key)
      }
    }
  }

  private func begin(_ place: Place, _ key: Key, _ work: AnyPublisher<Value, ImagePipeline.Error>) {
    let upstream = work.sink { [self] completion in
      end(place, key, completion)
    } receiveValue: { [self] value in
      pass(value, place, key)
    }
    let isWanted = state.withLock { state in
      guard state.jobs[key]?.number == place.job else { return false }
      state.jobs[key]?.upstream = upstream
      return true
    }
    if !isWanted { upstream.cancel() }
  }

  private func leave(_ place: Place, _ key: Key) {
    let (abandoned, member) = state.withLock { $0.dismiss(place, from: key) }
    abandoned?.upstream?.cancel()
    withExtendedLifetime(member) {}
  }

  // MARK: Results

  private func pass(_ value: Value, _ place: Place, _ key: Key) {
    if value.isPreview {
      let members = state.withLock { state in
        state.jobs[key].flatMap { $0.number == place.job ? $0.members.elements : nil } ?? []
      }
      for member in members { member.subscription.show(value) }
    } else {
      // Removed from the table first, so that a request made during delivery starts a new job.
      guard let job = state.withLock({ $0.take(place, from: key) }) else { return }
      var own = value
      own.job = place.job
      var shared = own
      shared.wasCoalesced = true
      for member in job.members.elements {
        member.subscription.finish(member.number == place.member ? own : shared)
      }
    }
  }

  private func end(
    _ place: Place, _ key: Key, _ completion: Subscribers.Completion<ImagePipeline.Error>
  ) {
    guard let job = state.withLock({ $0.take(place, from: key) }) else { return }
    switch completion {
    case .failure(let error): fail(job, error)
    case .finished: fail(job, .dataIsEmpty)
    }
  }

  private func fail(_ job: Job, _ error: ImagePipeline.Error) {
    job.upstream?.cancel()
    for member in job.members.elements { member.subscription.fail(error) }
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
    let subscription: ResultSubscription<Value, ImagePipeline.Error>
  }

  private struct Job {
    let number: UInt64
    let priority = DynamicPriority(.veryLow)
    var members = NumberedList<Member>()
    var upstream: AnyCancellable?

    /// Changed in place: a copy would copy the list of members.
    mutating func admit(_ member: Member) -> (number: UInt64, priority: DynamicPriority) {
      members.append(member, number: member.number)
      return (number, priority)
    }
  }

  /// The membership of a subscriber in a job.
  private struct Place {
    let job: UInt64
    let member: UInt64
    let priority: DynamicPriority
    let isFirst: Bool
  }

  private enum Admission {
    case joined(Place)
    case closed(ImagePipeline.Error)
  }

  private struct State {
    var jobs: [Key: Job] = [:]
    var closed: ImagePipeline.Error?
    var lastNumber: UInt64 = 0

    mutating func admit(_ subscription: ResultSubscription<Value, ImagePipeline.Error>, to key: Key)
      -> Admission
    {
      if let closed { return .closed(closed) }
      lastNumber += 1
      let member = Member(number: lastNumber, subscription: subscription)
      let isFirst = jobs[key] == nil
      let (job, priority) = jobs[key, default: Job(number: lastNumber)].admit(member)
      return .joined(Place(job: job, member: lastNumber, priority: priority, isFirst: isFirst))
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
