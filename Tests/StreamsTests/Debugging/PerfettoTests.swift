import Foundation
import Streams
import StreamsExtras
import StreamsTesting
import Synchronization
import Testing

@Suite("Perfetto", .serialized, .leavesNothing)
struct PerfettoTests {
  @Test("A trace has a track for each subscription, a slice for each signal, arrows and counters")
  func trace() throws {
    let timeline = Timeline(onlyThisThread: true)
    timeline.enable()
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.map { $0 + 1 }.removeDuplicates().named("numbers").record(demand: .max(2))
    for value in 1...3 { subject.send(value) }
    recorder.cancel()
    timeline.disable()

    let trace = try Trace(timeline.perfetto)
    let ids = Set(timeline.subscriptions.map(\.id))
    #expect(trace.tracks == ids)
    #expect(trace.names("M").contains { $0.hasSuffix("(numbers)") })
    #expect(trace.slices.count == timeline.events.count)
    #expect(trace.slices.contains { $0.hasPrefix("drop ") })
    #expect(trace.count("B") == ids.count)
    #expect(trace.count("E") == ids.count)
    #expect(trace.count("s") == trace.count("f"))
    #expect(trace.arrows["demand", default: 0] >= 2)
    #expect(trace.counters.contains("drops"))
    #expect(trace.counters.contains("values"))
  }

  @Test("A signal that is recorded after the end of its subscription does not open its track again")
  func late() throws {
    let timeline = Timeline(onlyThisThread: true)
    timeline.enable()
    let subject = PassthroughSubject<Int, Never>()
    let insistent = InsistentSubscriber()
    subject.named("numbers").subscribe(insistent)
    insistent.subscription?.cancel()
    insistent.subscription?.request(.max(3))
    timeline.disable()

    let kinds = timeline.events.map(\.kind)
    let trace = try Trace(timeline.perfetto)
    #expect(kinds.firstIndex(of: .cancelled) ?? .max < kinds.lastIndex(of: .requested(3)) ?? -1)
    #expect(trace.count("B") == trace.tracks.count && trace.count("E") == trace.tracks.count)
    #expect(trace.slices.count == timeline.events.count)
  }

  @Test("An arrow leads from a value to its delivery on another thread")
  func hops() async throws {
    // In a process of its own: the trace is that of all threads.
    await #expect(processExitsWith: .success) {
      let timeline = Timeline()
      let queue = DispatchQueue(label: "other")
      timeline.enable()
      let subject = PassthroughSubject<Int, Never>()
      let done = DispatchSemaphore(value: 0)
      let sink = subject.receive(on: HopScheduler(queue: queue)).sink { if $0 == 3 { done.signal() } }
      for value in 1...3 { subject.send(value) }
      done.wait()
      timeline.disable()
      sink.cancel()

      let trace = try Trace(timeline.perfetto)
      precondition(trace.arrows["hop"] == 3)
      precondition(timeline.events.contains { $0.queue == "other" && $0.kind == .value("3") })
    }
  }

  @Test("A trace is written in parts as it arises, up to its limit, with slices of other work")
  func written() async throws {
    await #expect(processExitsWith: .success) {
      let parts = Guarded<[String]>([])
      let trace = PerfettoTrace(limit: 400_000) { part in parts.withLock { $0.append(part) } }
      trace.enable()
      let start = ContinuousClock.now
      for number in 0..<2 {
        trace.addSlice(
          "decode \"\(number)\"", track: "images", start: start, duration: .milliseconds(2),
          details: ["url": "a\\b\n"])
      }
      let subject = PassthroughSubject<Int, Never>()
      let sink = subject.sink { _ in }
      for value in 0..<10_000 { subject.send(value) }
      let early = parts.withLock { $0.count }
      sink.cancel()
      trace.finish()
      subject.send(1)
      trace.finish()

      let text = parts.withLock { $0.joined() }
      let read = try Trace(text)
      precondition(early > 5)
      precondition(trace.leftOutCount > 1_000)
      precondition(text.utf8.count < 500_000)
      precondition(read.slices.count { $0.hasPrefix("decode") } == 2)
      precondition(read.rows.count == 2)
    }
  }
}

/// Requests whenever it is told to, also after it has cancelled.
private final class InsistentSubscriber: Subscriber {
  private(set) var subscription: (any Subscription)?

  func receive(subscription: any Subscription) { self.subscription = subscription }
  func receive(_: Int) -> Subscribers.Demand { .none }
  func receive(completion _: Subscribers.Completion<Never>) {}
}

/// A trace as a reader of Chrome's format sees it.
private struct Trace {
  let events: [[String: Any]]

  init(_ text: String) throws {
    events = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
  }

  func count(_ phase: String) -> Int { of(phase).count }
  func names(_ phase: String) -> [String] {
    of(phase).compactMap { ($0["args"] as? [String: Any])?["name"] as? String }
  }

  var tracks: Set<Int> { Set(of("B").compactMap { $0["tid"] as? Int }) }
  var rows: Set<Int> { Set(of("X").filter { $0["pid"] as? Int == 2 }.compactMap { $0["tid"] as? Int }) }
  var slices: [String] { of("X").compactMap { $0["name"] as? String } }
  var arrows: [String: Int] {
    of("s").reduce(into: [:]) { $0[$1["cat"] as? String ?? "", default: 0] += 1 }
  }
  var counters: Set<String> {
    Set(of("C").compactMap { $0["args"] as? [String: Any] }.flatMap { $0.keys })
  }

  private func of(_ phase: String) -> [[String: Any]] { events.filter { $0["ph"] as? String == phase } }
}

/// A scheduler of a queue, for modules that do not import StreamsFoundation.
private struct HopScheduler: Scheduler {
  typealias SchedulerTimeType = VirtualTime
  typealias SchedulerOptions = Never

  let queue: DispatchQueue
  var now: VirtualTime { VirtualTime(0) }
  var minimumTolerance: VirtualTime.Stride { .zero }

  func schedule(options _: Never?, _ action: @escaping () -> Void) {
    let action = Transfer(action)  // run once, on the queue
    queue.async { action.value() }
  }

  func schedule(
    after _: VirtualTime, tolerance _: VirtualTime.Stride, options _: Never?, _ action: @escaping () -> Void
  ) {
    schedule(options: nil, action)
  }

  func schedule(
    after _: VirtualTime, interval _: VirtualTime.Stride, tolerance _: VirtualTime.Stride, options _: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(options: nil, action)
    return AnyCancellable {}
  }
}
