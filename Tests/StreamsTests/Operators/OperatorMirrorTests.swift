import Foundation
import Streams
import StreamsTesting
import Testing

/// An operator, and what `print()`, `dump` and a debugger show of its subscription.
struct OperatorMirror: Sendable, CustomStringConvertible {
  typealias Upstream = Script<Int, Problem>

  let description: String
  let labels: [String]
  /// Connects the operator, and returns its subscription.
  let subscription: @Sendable (Upstream) -> any Subscription

  init(
    _ description: String, _ labels: [String] = [],
    _ make: @escaping @Sendable (Upstream) -> any Publisher
  ) {
    (self.description, self.labels) = (description, labels)
    subscription = { Self.subscription(of: make($0)) }
  }

  private static func subscription(of publisher: some Publisher) -> any Subscription {
    publisher.record(demand: .none).subscriptions[0]
  }

  private static let folding = ["downstream", "result", "initial", "status"]
  private static let coding = ["downstream", "finished", "upstreamSubscription"]

  static let stages = [
    OperatorMirror("TryMap") { $0.tryMap { $0 } },
    OperatorMirror("TryFilter", ["downstream"]) { $0.tryFilter { _ in true } },
    OperatorMirror("TryCompactMap", ["downstream"]) { $0.tryCompactMap { $0 } },
    OperatorMirror("PrefixWhile", ["downstream"]) { $0.prefix { _ in true } },
    OperatorMirror("TryPrefixWhile", ["downstream"]) { $0.tryPrefix { _ in true } },
    OperatorMirror("DropWhile") { $0.drop { _ in true } },
    OperatorMirror("TryDropWhile") { $0.tryDrop { _ in true } },
    OperatorMirror("RemoveDuplicates", ["downstream", "last"]) { $0.removeDuplicates() },
    OperatorMirror("TryRemoveDuplicates", ["downstream", "last"]) { $0.tryRemoveDuplicates(by: ==) },
    OperatorMirror("MeasureInterval") { $0.measureInterval(using: VirtualScheduler.virtual) },
    OperatorMirror("IgnoreOutput") { $0.ignoreOutput() },
    OperatorMirror("Output") { $0.prefix(2) },
    OperatorMirror("Drop") { $0.dropFirst() },
    OperatorMirror("ReplaceEmpty") { $0.replaceEmpty(with: 0) },
    OperatorMirror("ReplaceError") { $0.replaceError(with: 0) },
    OperatorMirror("Catch", ["downstream", "demand"]) { $0.catch { _ in Just(0) } },
    OperatorMirror("TryCatch", ["downstream", "demand"]) { $0.tryCatch { _ in Just(0) } },
    OperatorMirror("Scan", ["downstream", "result"]) { $0.scan(0, +) },
    OperatorMirror("TryScan", ["downstream", "status", "result"]) { $0.tryScan(0, +) },
    OperatorMirror("Encode", coding) { $0.encode(encoder: JSONEncoder()) },
    OperatorMirror("Decode", coding) {
      $0.map { _ in Data() }.decode(type: Int.self, decoder: JSONDecoder())
    },
    OperatorMirror("CollectByCount", ["downstream", "upstreamSubscription", "buffer", "count"]) {
      $0.collect(2)
    },
  ]

  static let foldings = [
    OperatorMirror("Collect", ["count"]) { $0.collect() },
    OperatorMirror("Count", folding) { $0.count() },
    OperatorMirror("AllSatisfy", folding) { $0.allSatisfy { _ in true } },
    OperatorMirror("TryAllSatisfy", folding) { $0.tryAllSatisfy { _ in true } },
    OperatorMirror("Comparison", folding) { $0.min() },
    OperatorMirror("TryComparison", folding) { $0.tryMin(by: <) },
    OperatorMirror("Contains", folding) { $0.contains(1) },
    OperatorMirror("ContainsWhere", folding) { $0.contains { $0 == 1 } },
    OperatorMirror("TryContainsWhere", folding) { $0.tryContains { $0 == 1 } },
    OperatorMirror("First", folding) { $0.first() },
    OperatorMirror("TryFirst", folding) { $0.first { $0 == 1 } },
    OperatorMirror("TryFirstWhere", folding) { $0.tryFirst { $0 == 1 } },
    OperatorMirror("Last", folding) { $0.last() },
    OperatorMirror("LastWhere", folding) { $0.last { $0 == 1 } },
    OperatorMirror("TryLastWhere", folding) { $0.tryLast { $0 == 1 } },
    OperatorMirror("Reduce", folding) { $0.reduce(0, +) },
    OperatorMirror("TryReduce", folding) { $0.tryReduce(0, +) },
  ]
}

@Suite("Mirrors of operators", .leavesNothing)
struct OperatorMirrorTests {
  @Test(
    "The subscription of an operator has Combine's name, and shows Combine's children until it is cancelled",
    arguments: OperatorMirror.stages + OperatorMirror.foldings)
  func names(_ row: OperatorMirror) {
    let script = OperatorMirror.Upstream()
    let subscription = row.subscription(script)

    let name = "\(subscription)", labels = labels(subscription)
    subscription.cancel()

    #expect(name == row.description)
    #expect(labels == row.labels)
    #expect(self.labels(subscription).isEmpty)
  }

  @Test("The mirror of an operator shows what it remembers, and nothing of that during a delivery")
  func memories() {
    let subject = PassthroughSubject<Int, Problem>()
    let inspector = MirrorInspector()
    let source = subject.map { value in
      inspector.look()
      return value
    }
    let recorders = (
      source.reduce(1, +).record(), source.collect().record(), source.collect(5).record(),
      source.scan(1, +).record(), source.removeDuplicates().record(),
      source.tryRemoveDuplicates(by: ==).record()
    )
    let subscriptions = [
      recorders.0.subscriptions[0], recorders.1.subscriptions[0], recorders.2.subscriptions[0],
      recorders.3.subscriptions[0], recorders.4.subscriptions[0], recorders.5.subscriptions[0],
    ]
    inspector.parts = zip(subscriptions, ["result", "count", "buffer", "result", "last", "last"]).map {
      ($0, $1)
    }

    subject.send(4)
    subject.send(2)
    let within = inspector.seen
    inspector.look()
    let between = inspector.seen
    let initial = child("initial", of: subscriptions[0]), status = child("status", of: subscriptions[0])
    subject.send(completion: .finished)

    #expect(within == ["nil", "0", "[]", "nil", "nil", "nil"])
    #expect(between == ["7", "2", "[4, 2]", "7", "2", "2"])
    #expect(initial as? Int == 1)
    #expect(status as? String == "subscribed")
    inspector.parts = []
  }

  @Test("The mirror of `debounce` shows its downstream, demand and waiting value, and retains none of them")
  func debounce() {
    let lifetimes = Lifetimes()
    let script = Script(Int.self, failure: Problem.self)
    let subscription: any Subscription
    do {
      let recorder = script.debounce(for: 2, scheduler: VirtualScheduler.virtual).record(demand: .max(3))
      lifetimes.track(recorder, as: "recorder")
      subscription = recorder.subscriptions[0]
      script.say(7)

      #expect(child("downstream", of: subscription) is Recorder<Int, Problem>)
      #expect(child("downstreamDemand", of: subscription) as? Subscribers.Demand == .max(3))
      #expect(child("currentValue", of: subscription) as? Int == 7)
      recorder.cancel()
    }

    #expect(lifetimes.living == [])
    withExtendedLifetime(subscription) {}
  }

  @Test("The mirror of `encode` and `decode` says that they have not finished")
  func coders() {
    let script = Script(Int.self, failure: Problem.self)
    let encoded = script.encode(encoder: JSONEncoder()).record()
    let decoded = script.map { _ in Data("1".utf8) }.decode(type: Int.self, decoder: JSONDecoder()).record()

    #expect(child("finished", of: encoded.subscriptions[0]) as? Bool == false)
    #expect(child("finished", of: decoded.subscriptions[0]) as? Bool == false)
    encoded.cancel()
    decoded.cancel()
  }

  @Test("The subscriber that an operator subscribes has Combine's name, and shows its arguments")
  func subscribers() {
    #expect(subscriber { $0.map(\.magnitude) } == Seen("ValueForKey", ["keyPath"]))
    #expect(
      subscriber { $0.map(\.magnitude, \.hashValue) } == Seen("ValueForKeys", ["keyPath0", "keyPath1"]))
    #expect(
      subscriber { $0.map(\.magnitude, \.hashValue, \.description) }
        == Seen("ValueForKeys", ["keyPath0", "keyPath1", "keyPath2"]))
    #expect(subscriber { $0.assertNoFailure() } == Seen("AssertNoFailure", ["file", "line", "prefix"]))
    #expect(subscriber { $0.prefix(0) } == Seen("Output", []))
    #expect(subscriber { $0.timeout(1, scheduler: VirtualScheduler.virtual) } == Seen("Timeout", []))
    #expect(subscriber { $0.zip($0) } == Seen("Zip", ["parentSubscription"]))
  }

  private func labels(_ value: Any) -> [String?] { Mirror(reflecting: value).children.map(\.label) }

  private func child(_ label: String, of value: Any) -> Any? {
    Mirror(reflecting: value).children.first { $0.label == label }?.value
  }

  private func subscriber<P: Publisher>(_ build: (SubscriberInspector) -> P) -> Seen? {
    let inspector = SubscriberInspector()
    _ = build(inspector).record()
    return inspector.seen
  }
}

/// What a debugger shows of a subscriber.
private struct Seen: Equatable {
  let name: String
  let labels: [String?]

  init(_ name: String, _ labels: [String?]) { (self.name, self.labels) = (name, labels) }
}

/// Looks at its subscriber, and sends it nothing.
private final class SubscriberInspector: Publisher {
  typealias Output = Int
  typealias Failure = Problem

  private(set) var seen: Seen?

  func receive<Downstream: Subscriber<Int, Problem>>(subscriber: Downstream) {
    seen = Seen("\(subscriber)", Mirror(reflecting: subscriber).children.map(\.label))
  }
}

/// Looks at children of subscriptions.
private final class MirrorInspector {
  var parts: [(subscription: any Subscription, label: String)] = []
  private(set) var seen: [String] = []

  func look() {
    seen = parts.map { part in
      let value = Mirror(reflecting: part.subscription).children.first { $0.label == part.label }?.value
      // An optional shows as what it has.
      return value.map { "\(Mirror(reflecting: $0).displayStyle == .optional ? unwrapped($0) : $0)" }
        ?? "none"
    }
  }

  private func unwrapped(_ value: Any) -> Any { Mirror(reflecting: value).children.first?.value ?? "nil" }
}
