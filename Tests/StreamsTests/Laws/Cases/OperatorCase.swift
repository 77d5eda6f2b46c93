import Streams
import StreamsTesting
import Testing

/// One operator under law: how to build it, and what is particular to it.
struct OperatorCase: Sendable, CustomTestStringConvertible {
  /// Subscribes a recorder to what was built.
  typealias Attach = (Recorder<Int, TestFailure>) -> Void

  let name: String
  let profile: Profile
  let build: @Sendable (Stand) -> Attach

  var testDescription: String { name }
}

extension OperatorCase {
  /// An operator with one upstream.
  init<P: Publisher & SendableMetatype>(
    _ name: String, _ traits: Trait..., build: @escaping @Sendable (Script<Int, TestFailure>) -> P
  ) where P.Output == Int {
    self.init(name, .operator, traits) { stand in build(stand.upstream()) }
  }

  /// An operator with two upstreams. The first is the one that speaks, unless a trait says otherwise.
  init<P: Publisher & SendableMetatype>(
    _ name: String, _ traits: Trait...,
    pair build: @escaping @Sendable (Script<Int, TestFailure>, Script<Int, TestFailure>) -> P
  ) where P.Output == Int {
    self.init(name, .operator, traits) { stand in build(stand.upstream(), stand.upstream()) }
  }

  /// An operator with one upstream and a scheduler.
  init<P: Publisher & SendableMetatype>(
    _ name: String, _ traits: Trait...,
    scheduled build: @escaping @Sendable (Script<Int, TestFailure>, VirtualScheduler) -> P
  ) where P.Output == Int {
    self.init(name, .operator, traits + [.isScheduled]) { stand in build(stand.upstream(), stand.scheduler) }
  }

  /// An operator that takes what it needs from the stand.
  init<P: Publisher & SendableMetatype>(
    _ name: String, _ traits: Trait..., assembling build: @escaping @Sendable (Stand) -> P
  ) where P.Output == Int {
    self.init(name, .operator, traits, build)
  }

  /// A publisher without an upstream.
  static func source<P: Publisher & SendableMetatype>(
    _ name: String, _ traits: Trait..., build: @escaping @Sendable () -> P
  ) -> OperatorCase where P.Output == Int {
    OperatorCase(name, .source, traits) { _ in build() }
  }

  /// A subject: what is sent to it takes the place of upstream's signals.
  static func subject<S: Subject<Int, TestFailure> & SendableMetatype>(
    _ name: String, _ traits: Trait..., make: @escaping @Sendable () -> S
  ) -> OperatorCase {
    OperatorCase(name, .subject, traits + [.isShared]) { stand in stand.adopt(make()) }
  }

  private init<P: Publisher & SendableMetatype>(
    _ name: String, _ kind: Profile.Kind, _ traits: [Trait], _ build: @escaping @Sendable (Stand) -> P
  ) where P.Output == Int {
    self.name = name
    var profile = Profile(kind: kind)
    for trait in traits { trait.apply(&profile) }
    self.profile = profile
    self.build = { stand in
      let publisher = build(stand)
      return { recorder in publisher.subscribe(Projector(recorder)) }
    }
  }
}

/// Hands everything on to a recorder, with the failure made a ``TestFailure``. It adds nothing and holds back
/// nothing.
private final class Projector<Failure: Error>: Subscriber {
  private let recorder: Recorder<Int, TestFailure>

  init(_ recorder: Recorder<Int, TestFailure>) { self.recorder = recorder }

  func receive(subscription: any Subscription) { recorder.receive(subscription: subscription) }
  func receive(_ input: Int) -> Subscribers.Demand { recorder.receive(input) }
  func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: recorder.receive(completion: .finished)
    case .failure(let error): recorder.receive(completion: .failure(error as? TestFailure ?? .other))
    }
  }
}

/// The failures with which laws are tested.
enum TestFailure: Error {
  /// What a script fails with.
  case scripted
  /// What a closure throws.
  case thrown
  /// Anything that no test made.
  case other
}
