package import Streams

/// One operator in a registry: a ``Candidate`` with a name, which can be sent to tests on any thread.
package struct OperatorCase: Sendable {
  package let name: String
  package let profile: Profile
  package let build: @Sendable (LawStand) -> Candidate.Attach

  package var candidate: Candidate { Candidate(profile, build: build) }
}

extension OperatorCase {
  /// An operator with one upstream.
  package init<P: Publisher & SendableMetatype>(
    _ name: String, _ traits: OperatorTrait...,
    build: @escaping @Sendable (Script<Int, TestFailure>) -> P
  ) where P.Output == Int {
    self.init(name, .operator, traits) { stand in build(stand.upstream()) }
  }

  /// An operator with two upstreams. The first one sends, unless a trait changes this.
  package init<P: Publisher & SendableMetatype>(
    _ name: String, _ traits: OperatorTrait...,
    pair build: @escaping @Sendable (Script<Int, TestFailure>, Script<Int, TestFailure>) -> P
  ) where P.Output == Int {
    self.init(name, .operator, traits) { stand in build(stand.upstream(), stand.upstream()) }
  }

  /// An operator with one upstream and a scheduler.
  package init<P: Publisher & SendableMetatype>(
    _ name: String, _ traits: OperatorTrait...,
    scheduled build: @escaping @Sendable (Script<Int, TestFailure>, VirtualScheduler) -> P
  ) where P.Output == Int {
    self.init(name, .operator, traits + [.isScheduled]) { stand in build(stand.upstream(), stand.scheduler) }
  }

  /// An operator that takes its upstreams from the stand.
  package init<P: Publisher & SendableMetatype>(
    _ name: String, _ traits: OperatorTrait..., assembling build: @escaping @Sendable (LawStand) -> P
  ) where P.Output == Int {
    self.init(name, .operator, traits, build)
  }

  /// A publisher without an upstream.
  package static func source<P: Publisher & SendableMetatype>(
    _ name: String, _ traits: OperatorTrait..., build: @escaping @Sendable () -> P
  ) -> OperatorCase where P.Output == Int {
    OperatorCase(name, .source, traits) { _ in build() }
  }

  /// A subject: values sent to it replace upstream's signals.
  package static func subject<S: Subject<Int, TestFailure> & SendableMetatype>(
    _ name: String, _ traits: OperatorTrait..., make: @escaping @Sendable () -> S
  ) -> OperatorCase {
    OperatorCase(name, .subject, traits + [.isShared]) { stand in stand.adopt(make()) }
  }

  private init<P: Publisher & SendableMetatype>(
    _ name: String, _ kind: Profile.Kind, _ traits: [OperatorTrait],
    _ build: @escaping @Sendable (LawStand) -> P
  ) where P.Output == Int {
    self.name = name
    var profile = Profile(kind: kind)
    for trait in traits { trait.apply(&profile) }
    self.profile = profile
    self.build = { stand in Candidate.attach(build(stand)) { Sample($0) } }
  }
}
