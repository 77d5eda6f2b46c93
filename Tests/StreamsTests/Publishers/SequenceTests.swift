import Streams
import StreamsTesting
import Testing

@Suite("`Publishers.Sequence`", .leavesNothing)
struct SequenceTests {
  @Test(
    "A sequence's publisher reads one element ahead, starting at subscription",
    arguments: [Subscribers.Demand.none, .max(1), .max(2)])
  func readsAhead(demand: Subscribers.Demand) {
    var read: [Int] = []
    let elements = sequence(first: 1) { $0 + 1 }.lazy.map { element in
      read.append(element)
      return element
    }

    let recorder = elements.publisher.record(demand: demand)

    #expect(recorder.values.count == demand.max)
    #expect(read == Array(1...(recorder.values.count + 1)))
  }

  @Test("A sequence's publisher sends a million values one by one on a single stack")
  func million() {
    let counter = OneByOne()

    (0..<1_000_000).publisher.subscribe(counter)

    #expect(counter.count == 1_000_000)
    #expect(counter.isFinished)
  }

  @Test(
    "A sequence's publisher sends nothing more if the sequence itself cancels the subscription",
    arguments: [Subscribers.Demand.max(9), .unlimited])
  func cancelledByTheSequence(demand: Subscribers.Demand) {
    let recorder = Recorder<Int, Never>(demand: demand)
    let elements = (0..<10).lazy.map { [unowned recorder] element in
      if element == 3 { recorder.cancel() }
      return element
    }

    elements.publisher.subscribe(recorder)

    #expect(recorder.completions.isEmpty)
    #expect(!recorder.values.contains(3))
  }

  @Test("A sequence's publisher releases its elements and subscriber when it is cancelled")
  func releases() {
    let leaked = Lifetimes.leaks { lifetimes in
      let elements = [lifetimes.probe("first"), lifetimes.probe("second"), lifetimes.probe("third")]
      let recorder = lifetimes.track(Recorder<Probe, Never>(demand: .max(1)), as: "recorder")
      elements.publisher.subscribe(recorder)
      recorder.cancel()
    }

    #expect(leaked.isEmpty)
  }

  @Test("A sequence's publisher sends each element once while several threads request")
  func concurrent() {
    for _ in 0..<20 {
      let witness = Witness<Int, Never>(demand: .none)
      (0..<300).publisher.subscribe(witness)
      let ask: @Sendable () -> Void = { for _ in 0..<100 { witness.request(.max(1)) } }

      race(ask, ask, ask)

      #expect(witness.values == Array(0..<300))
      #expect(witness.completions == 1)
      #expect(witness.faults.isEmpty)
    }
  }

  @Test("A sequence's publisher keeps its order while threads request and cancel concurrently")
  func concurrentCancel() {
    for _ in 0..<100 {
      let witness = Witness<Int, Never>(demand: .none)
      (0..<300).publisher.subscribe(witness)
      let ask: @Sendable () -> Void = { for _ in 0..<20 { witness.request(.max(1)) } }

      race(ask, ask, { witness.cancel() })

      #expect(witness.values == Array(0..<witness.values.count))
      #expect(witness.faults.isEmpty)
    }
  }

  @Test("The subscription of a sequence's publisher has the sequence's description")
  func names() {
    #expect("\([1, 2, 3].publisher.record(demand: .none).subscriptions[0])" == "[1, 2, 3]")
    #expect("\((1...5).publisher.record(demand: .none).subscriptions[0])" == "1...5")
    #expect("\([Int]().publisher.record().subscriptions[0])" == "Empty")
  }

  @Test("A sequence's publisher is equal to another one with the same elements")
  func equality() {
    #expect([1, 2].publisher == [1, 2].publisher)
    #expect([1, 2].publisher != [2, 1].publisher)
    #expect([1, 2].publisher.sequence == [1, 2])
  }
}

/// Asks for one value at a time, and only counts.
private final class OneByOne: Subscriber {
  private(set) var count = 0
  private(set) var isFinished = false
  private var subscription: (any Subscription)?

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(.max(1))
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    count += 1
    subscription?.request(.max(1))
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {
    isFinished = true
    subscription = nil
  }
}
