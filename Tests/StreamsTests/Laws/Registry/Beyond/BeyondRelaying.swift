import Streams
import StreamsExtras
import StreamsTesting

extension OperatorCase {
  /// What cannot be ended from outside: it finishes when it goes, whatever the law would have it do.
  static let beyondRelaying: [OperatorCase] = [
    .subject("PassthroughRelay", .isLossy, .named("PassthroughSubject"), finishes, hasOneStream) {
      Owned(PassthroughRelay<Int>()) { $0.accept($1) }
    },
    .subject(
      "CurrentValueRelay", .sends([0, 1, 2, 3]), .prelude(1), .isLossy, .named("CurrentValueSubject"),
      finishes, hasOneStream
    ) {
      Owned(CurrentValueRelay(0)) { $0.accept($1) }
    },
    .subject("ReplayRelay", .zeroDemandIsHarmless, .named("ReplaySubject"), finishes, hasOneStream) {
      Owned(ReplayRelay<Int>(bufferSize: 3)) { $0.accept($1) }
    },
    .subject(
      "MutableProperty", .sends([0, 1, 2, 3]), .prelude(1), .isLossy, .named("CurrentValueSubject"),
      finishes, hasOneStream
    ) {
      Owned(MutableProperty(0), stream: \.publisher) { $0.value = $1 }
    },
    .subject("changes of a property", .isLossy, finishes, hasOneStream) {
      Owned(MutableProperty(0), stream: \.changes) { $0.value = $1 }
    },
  ]

  private static let finishes = OperatorTrait { profile in
    profile.failing = .finished
  }
  private static let hasOneStream = OperatorTrait.deviates(
    .c23, because: "its subscribers listen to one stream")
}

/// The one owner of something that finishes when it goes.
private final class Owned<Owner: AnyObject>: Subject {
  typealias Output = Int
  typealias Failure = TestFailure

  private var owner: Owner?
  private let stream: (Owner) -> AnyPublisher<Int, Never>
  private let accept: (Owner, Int) -> Void

  init(
    _ owner: Owner, stream: @escaping (Owner) -> AnyPublisher<Int, Never>,
    accept: @escaping (Owner, Int) -> Void
  ) {
    self.owner = owner
    self.stream = stream
    self.accept = accept
  }

  func send(_ value: Int) { if let owner { accept(owner, value) } }

  func send(completion _: Subscribers.Completion<TestFailure>) { owner = nil }

  func send(subscription: any Subscription) { subscription.request(.unlimited) }

  func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Int, Downstream.Failure == TestFailure {
    let values = owner.map(stream) ?? Empty().eraseToAnyPublisher()
    values.setFailureType(to: TestFailure.self).receive(subscriber: subscriber)
  }
}

extension Owned where Owner: Relay<Int> {
  convenience init(_ relay: Owner, accept: @escaping (Owner, Int) -> Void) {
    self.init(relay, stream: { $0.eraseToAnyPublisher() }, accept: accept)
  }
}
