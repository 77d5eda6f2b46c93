internal import Streams
internal import StreamsTesting

/// An operator with one fault against the model of what it should be, to see that the fault is found.
public struct Mutant {
  public let entry: ModelledOperator
  /// How short a script must show the fault.
  public let most: Int
}

extension Registry {
  public static var mutants: [Mutant] {
    [
      // Takes one value too many.
      Mutant(
        entry: list("prefix(4)", ends: { $0.count >= 3 }, { Array($0.prefix(3)) }) { $0.prefix(4) }, most: 5),
      // Shows the latest values in place of the oldest.
      Mutant(
        entry: ModelledOperator(
          "zip that is combineLatest", sources: 2, model: { ZipModel(2) }, tell: { [$0.0, $0.1] },
          make: { $0[0].combineLatest($0[1]) }), most: 4),
      // Has less room.
      Mutant(
        entry: ModelledOperator(
          "buffer that is too small", model: { BufferModel(3, keepsFull: false, .dropsNewest) },
          make: { $0[0].buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest) }), most: 5),
      // Comes late.
      Mutant(
        entry: ModelledOperator(
          "delay that is too long", model: { HopModel(2) },
          make: { $0[0].delay(for: 3, scheduler: $0.scheduler) }
        ), most: 3),
      // Lets a value through before the silence is over.
      Mutant(
        entry: ModelledOperator(
          "debounce that is throttle", model: { DebounceModel(3) },
          make: { $0[0].throttle(for: 3, scheduler: $0.scheduler, latest: true) }), most: 3),
      // Tries once too often.
      Mutant(
        entry: ModelledOperator(
          "retry that gives up late", model: { RetryModel(1) }, make: { $0[0].retry(2) }),
        most: 2),
      // Gives a newcomer the latest value.
      Mutant(
        entry: ModelledOperator(
          "share that replays", downstreams: 3, model: { AudienceModel(.whileShared) },
          make: { $0[0].multicast { CurrentValueSubject(0) }.autoconnect() }), most: 2),
      // Forgets what downstream answers to a value.
      Mutant(entry: stage("filter that forgets", each: { [$0] }) { Forgetful(upstream: $0) }, most: 3),
      // Sends a value again when it is answered with demand, and only then.
      Mutant(entry: stage("map that repeats itself", each: { [$0] }) { Talkative(upstream: $0) }, most: 4),
    ]
  }
}

/// Answers every value with nothing.
private struct Forgetful<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  func receive<Downstream: Subscriber<Output, Failure>>(subscriber: Downstream) {
    upstream.subscribe(
      AnySubscriber(
        receiveSubscription: { subscriber.receive(subscription: $0) },
        receiveValue: { value in
          _ = subscriber.receive(value)
          return .none
        }, receiveCompletion: { subscriber.receive(completion: $0) }))
  }
}

/// Sends a three again if it is answered with demand.
private struct Talkative<Upstream: Publisher<Int, Breakdown>>: Publisher {
  typealias Output = Int
  typealias Failure = Breakdown

  let upstream: Upstream

  func receive<Downstream: Subscriber<Int, Breakdown>>(subscriber: Downstream) {
    upstream.subscribe(
      AnySubscriber(
        receiveSubscription: { subscriber.receive(subscription: $0) },
        receiveValue: { value in
          let answer = subscriber.receive(value)
          return answer > .none && value == 3 ? subscriber.receive(value) : answer
        }, receiveCompletion: { subscriber.receive(completion: $0) }))
  }
}
