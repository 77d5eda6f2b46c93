package import Streams

/// An operator to be checked: how to build it, and its properties.
package struct Candidate {
  /// Subscribes a recorder to the operator.
  package typealias Attach = (Recorder<Sample, TestFailure>) -> Void

  package let profile: Profile
  package let build: (LawStand) -> Attach

  package init(_ profile: Profile, build: @escaping (LawStand) -> Attach) {
    (self.profile, self.build) = (profile, build)
  }

  /// Subscribes to `publisher`, whose values `sample` converts.
  package static func attach<P: Publisher>(
    _ publisher: P, _ sample: @escaping (P.Output) -> Sample
  ) -> Attach {
    { recorder in publisher.subscribe(Projector<P.Output, P.Failure>(recorder, sample)) }
  }
}

extension Candidate {
  /// A run that has started with a request for `demand`.
  package func flow(_ demand: Subscribers.Demand, withholding: Bool = false) -> Run {
    Run(LawStand(self, withholding: withholding), demand: .none).start().flow(demand)
  }

  /// A run that requests `demand` when its subscription arrives.
  package func run(_ demand: Subscribers.Demand, answering more: Subscribers.Demand = .none) -> Run {
    Run(LawStand(self), demand: demand, answering: more).start()
  }
}

/// Passes everything on to a recorder, with values as samples, and the failure as a ``TestFailure``. It neither adds nor
/// delays anything.
private final class Projector<Input, Failure: Error>: Subscriber {
  private let recorder: Recorder<Sample, TestFailure>
  private let sample: (Input) -> Sample

  init(_ recorder: Recorder<Sample, TestFailure>, _ sample: @escaping (Input) -> Sample) {
    (self.recorder, self.sample) = (recorder, sample)
  }

  func receive(subscription: any Subscription) { recorder.receive(subscription: subscription) }
  func receive(_ input: Input) -> Subscribers.Demand { recorder.receive(sample(input)) }
  func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: recorder.receive(completion: .finished)
    case .failure(let error): recorder.receive(completion: .failure(error as? TestFailure ?? .other))
    }
  }
}
