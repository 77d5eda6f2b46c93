package import Streams

/// Work in progress: whoever wants what is being made already waits with those who asked first.
///
/// A job begins with its first subscriber and ends with its result, or when the last subscriber has gone. It is as
/// urgent as the most urgent of them. Results are not kept: that is what caches are for.
package final class JobTable<Key: Hashable & Sendable, Cargo: JobCargo>: Sendable {
  /// Makes what a job runs; is given how urgent the job is.
  package typealias Work = (Urgency) -> AnyPublisher<Cargo, ImagePipeline.Error>

  private let state = Guarded(State())

  package init() {}

  package var count: Int { state.withLock { $0.jobs.count } }

  /// How many wait for what is being made.
  package var waitingCount: Int { state.withLock { $0.jobs.values.reduce(0) { $0 + $1.members.count } } }

  /// How urgent a job is; `nil` if there is none.
  package func priority(of key: Key) -> ImageRequest.Priority? {
    state.withLock { $0.jobs[key]?.urgency }?.priority
  }

  /// A publisher of the result of the job `key`, and of its previews from now on.
  ///
  /// - Parameter waiter: How urgent it is for the subscriber.
  package func publisher(
    _ key: Key, for waiter: Urgency, _ work: @escaping Work
  ) -> AnyPublisher<Cargo, ImagePipeline.Error> {
    DeliveryPublisher("Job") { [self] delivery in join(key, delivery, waiter, work) }.eraseToAnyPublisher()
  }

  /// Fails all jobs, and all that come later.
  package func close(_ error: ImagePipeline.Error) {
    let jobs = state.withLock { state in
      state.closed = error
      defer { state.jobs = [:] }
      return Array(state.jobs.values)
    }
    for job in jobs { fail(job, error) }
  }

  // MARK: Coming and going

  private func join(
    _ key: Key, _ delivery: Delivery<Cargo, ImagePipeline.Error>, _ waiter: Urgency, _ work: Work
  ) -> AnyCancellable {
    switch state.withLock({ $0.admit(delivery, to: key) }) {
    case .closed(let error):
      delivery.fail(error)
      return AnyCancellable {}
    case .joined(let place):
      let membership = place.urgency.add(waiter)
      if place.isFirst { begin(place, key, work(place.urgency)) }
      return AnyCancellable { [self] in
        membership.cancel()
        leave(place, key)
      }
    }
  }

  private func begin(_ place: Place, _ key: Key, _ work: AnyPublisher<Cargo, ImagePipeline.Error>) {
    let upstream = work.sink { [self] completion in
      end(place, key, completion)
    } receiveValue: { [self] cargo in
      pass(cargo, place, key)
    }
    let isWanted = state.withLock { state in
      guard state.jobs[key]?.number == place.job else { return false }
      state.jobs[key]?.upstream = upstream
      return true
    }
    if !isWanted { upstream.cancel() }
  }

  private func leave(_ place: Place, _ key: Key) {
    let abandoned = state.withLock { $0.dismiss(place, from: key) }
    abandoned?.upstream?.cancel()
  }

  // MARK: What the work says

  private func pass(_ cargo: Cargo, _ place: Place, _ key: Key) {
    if cargo.isPreview {
      let members = state.withLock { state in
        state.jobs[key].flatMap { $0.number == place.job ? $0.members : nil } ?? []
      }
      for member in members { member.delivery.show(cargo) }
    } else {
      // Gone from the table before anybody hears of it: who asks again from within asks for new work.
      guard let job = state.withLock({ $0.take(place, from: key) }) else { return }
      var own = cargo
      own.job = place.job
      var shared = own
      shared.wasCoalesced = true
      for member in job.members { member.delivery.finish(member.number == place.member ? own : shared) }
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
    for member in job.members { member.delivery.fail(error) }
  }
}

/// What travels through jobs.
package protocol JobCargo: Sendable {
  /// Whether more is to come. What is no preview is the result.
  var isPreview: Bool { get }
  /// Whether it was made for somebody else, too, and for them first.
  var wasCoalesced: Bool { get set }
  /// The job that made it last: what several who waited for it got is the same.
  var job: UInt64? { get set }
}

extension EncodedImage: JobCargo {}
extension DecodedImage: JobCargo {}

extension JobTable {
  private struct Member {
    let number: UInt64
    let delivery: Delivery<Cargo, ImagePipeline.Error>
  }

  private struct Job {
    let number: UInt64
    let urgency = Urgency(.veryLow)
    var members: [Member]
    var upstream: AnyCancellable?
  }

  /// A subscriber's seat in a job.
  private struct Place {
    let job: UInt64
    let member: UInt64
    let urgency: Urgency
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

    mutating func admit(_ delivery: Delivery<Cargo, ImagePipeline.Error>, to key: Key) -> Admission {
      if let closed { return .closed(closed) }
      lastNumber += 1
      let member = Member(number: lastNumber, delivery: delivery)
      let isFirst = jobs[key] == nil
      let job = jobs[key] ?? Job(number: lastNumber, members: [])
      if isFirst { jobs[key] = job }
      jobs[key]?.members.append(member)
      return .joined(Place(job: job.number, member: lastNumber, urgency: job.urgency, isFirst: isFirst))
    }

    /// - Returns: The job, if nobody is left in it.
    mutating func dismiss(_ place: Place, from key: Key) -> Job? {
      guard jobs[key]?.number == place.job else { return nil }
      jobs[key]?.members.removeAll { $0.number == place.member }
      return jobs[key]?.members.isEmpty == true ? jobs.removeValue(forKey: key) : nil
    }

    mutating func take(_ place: Place, from key: Key) -> Job? {
      jobs[key]?.number == place.job ? jobs.removeValue(forKey: key) : nil
    }
  }
}
