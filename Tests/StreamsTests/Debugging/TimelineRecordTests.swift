import Streams
import StreamsExtras
import StreamsTesting
import Testing

/// Signals with times, threads and queues of the test's choice, beside what a timeline has of them.
@Suite("Timeline records", .serialized, .leavesNothing)
struct TimelineRecordTests {
  let timeline = Timeline()

  @Test("Each kind of signal has a kind of event, a sign in the text and words in the log")
  func kinds() {
    let (below, above) = StagedSignals.pair()
    timeline.stage(.subscribed, on: below, at: 0)
    timeline.stage(.adopted, on: above, at: 1_999_999)
    timeline.stage(.subscription, on: below, at: 2_000_000)
    timeline.stage(.requested(.max(12)), on: below, at: 3_000_000)
    timeline.stage(.requested(.unlimited), on: above, at: 4_000_000)
    timeline.stage(.value(.integer(7)), on: below, at: 5_000_000)
    timeline.stage(.text("abcdefghijkl"), on: below, at: 6_000_000)
    timeline.stage(.text("abcdefghijklm"), on: above, at: 7_000_000)
    timeline.stage(.drop("x", .full), on: above, at: 8_000_000)
    timeline.stage(.drop("yz"), on: below, at: 9_000_000)
    timeline.stage(.drop("q", .noSubscriber), on: nil, at: 10_000_000)
    timeline.stage(.finished, on: below, at: 61_234_000_000)
    timeline.stage(.failed("boom"), on: above, at: 61_234_999_999, thread: 3, queue: "work")
    timeline.stage(.cancelled, on: below, at: 61_235_000_000)
    timeline.stage(.released, on: above, at: 61_236_000_000)

    let kinds: [Timeline.Event.Kind] = [
      .subscribed, .found, .subscription, .requested(12), .requested(nil), .value("7"),
      .value("abcdefghijkl"), .value("abcdefghijklm"), .dropped("x", reason: "the buffer is full"),
      .dropped("yz", reason: "no demand"), .dropped("q", reason: "PassthroughSubject has no subscriber"),
      .finished, .failed("boom"), .cancelled, .released,
    ]
    #expect(timeline.events.map(\.kind) == kinds)
    #expect(timeline.dropCount == 3)
    #expect(
      timeline.text.split(separator: "\n") == [
        "Map → Recorder            -s?12--7(abcdefghijkl)-----------------×(yz)|-!-",
        "PassthroughSubject → Map  …----?∞---------------(abcdefghijkl…)×x------#-~",
      ])
    let (low, high) = ("#\(below.id) Map → Recorder: ", "#\(above.id) PassthroughSubject → Map: ")
    #expect(
      timeline.log.split(separator: "\n")
        == [
          "0 +0.000s thread 1 \(low)subscribed", "1 +0.001s thread 1 \(high)found",
          "2 +0.002s thread 1 \(low)subscription", "3 +0.003s thread 1 \(low)request 12",
          "4 +0.004s thread 1 \(high)request unlimited", "5 +0.005s thread 1 \(low)value 7",
          "6 +0.006s thread 1 \(low)value abcdefghijkl", "7 +0.007s thread 1 \(high)value abcdefghijklm",
          "8 +0.008s thread 1 \(high)drop x: the buffer is full",
          "9 +0.009s thread 1 \(low)drop yz: no demand",
          "10 +0.010s thread 1 drop q: PassthroughSubject has no subscriber",
          "11 +61.234s thread 1 \(low)finished", "12 +61.234s thread 3 on work \(high)failure boom",
          "13 +61.235s thread 1 \(low)cancel", "14 +61.236s thread 1 \(high)released",
        ].map { Substring($0) })
  }

  @Test("A timeline without subscriptions has no text, and one without events no log")
  func nothing() {
    #expect(timeline.text.isEmpty && timeline.log.isEmpty)
    #expect(timeline.events.isEmpty && timeline.subscriptions.isEmpty)
    #expect(timeline.dropCount == 0)
    timeline.stage(.drop("1", .noSubscriber), on: nil, at: 0)
    #expect(timeline.text.isEmpty && !timeline.log.isEmpty)
  }

  @Test("Each event has the label of its queue, also if one label begins with another")
  func queues() {
    let labels = ["", "b", "b", "ab", "a", "abc", "ab", "", "b", "a", "a", "abc", "\u{1}", "é", "\u{1}"]
    for (index, label) in labels.enumerated() {
      timeline.stage(.drop("1", .noSubscriber), on: nil, at: UInt64(index), queue: label)
    }

    #expect(timeline.events.map(\.queue) == labels.map { $0.isEmpty ? nil : $0 })
  }

  @Test("A timeline keeps the labels of as many queues as its events have, and no more")
  func forgottenQueues() {
    let timeline = Timeline(capacity: 3)
    let labels = ["a", "b", "a", "c", "", "", "a", "a", "", "d", "e", "f", "", "", "", "f", "a", "f"]
    for (index, label) in labels.enumerated() {
      timeline.stage(.drop("1", .noSubscriber), on: nil, at: UInt64(index), queue: label)

      let newest = labels[...index].suffix(3)
      #expect(timeline.events.map(\.queue) == newest.map { $0.isEmpty ? nil : $0 })
      #expect(timeline.queueCount == Set(newest.filter { !$0.isEmpty }).count)
    }
  }

  @Test("A label that is not UTF-8 is stored once")
  func damagedLabel() {
    let label = [CChar(truncatingIfNeeded: 0xFF), 0]
    for time in UInt64(0)..<3 {
      timeline.note(.drop("1", .noSubscriber), on: nil, time: time, thread: 1, queue: label)
    }

    #expect(timeline.events.map(\.queue) == ["\u{FFFD}", "\u{FFFD}", "\u{FFFD}"])
    #expect(timeline.queueCount == 1)
  }

  @Test(
    "A timeline keeps the newest events in their order, and at least one",
    arguments: [(-1, 1), (0, 1), (1, 1), (2, 2), (3, 3), (7, 7), (8, 7)])
  func capacity(capacity: Int, count: Int) {
    let timeline = Timeline(capacity: capacity)
    let (below, above) = StagedSignals.pair()
    for number in 0..<7 {
      timeline.stage(
        .value(.integer(number)), on: number.isMultiple(of: 2) ? below : above, at: UInt64(number),
        thread: number)
    }

    let newest = Array((0..<7).suffix(count))
    let first = newest[0].isMultiple(of: 2) ? [below, above] : [above, below]
    #expect(timeline.events.map(\.number) == newest)
    #expect(timeline.events.map(\.kind) == newest.map { .value("\($0)") })
    #expect(timeline.events.map(\.thread) == newest)
    #expect(timeline.events.map(\.time) == newest.map { .nanoseconds($0) })
    #expect(timeline.subscriptions.map(\.id) == first.prefix(count).map(\.id))
  }

  @Test("A subscription without a name has no name and place, and one with an empty name has a place")
  func names() {
    let all = StagedSignals.attachments {
      _ = PassthroughSubject<Int, Never>().checkpoint("", fileID: "A.swift", line: 2).record()
    }
    let (plain, _) = StagedSignals.pair()
    timeline.stage(.subscription, on: plain, at: 0)
    timeline.stage(.subscription, on: all[0], at: 1)

    #expect(timeline.subscriptions.map(\.name) == [nil, nil])
    #expect(timeline.subscriptions.map(\.place) == [nil, CallSite(fileID: "A.swift", line: 2)])
    #expect(timeline.subscriptions[1].description.hasSuffix(" → Recorder"))
  }

  @Test("A timeline records the signals of all threads, or only those of the one that created it")
  func threads() {
    let (all, own) = (Timeline(), Timeline(onlyThisThread: true))
    for timeline in [all, own] {
      timeline.observe(.drop("1", .noSubscriber), on: nil)
      elsewhere { timeline.observe(.drop("2", .noSubscriber), on: nil) }
    }

    #expect(all.events.count == 2)
    #expect(own.events.map(\.kind) == [.dropped("1", reason: "PassthroughSubject has no subscriber")])
    #expect(Set(all.events.map(\.thread)).count == 2)
    #expect(all.events[0].time <= all.events[1].time)
  }

  @Test("The clock of all tools begins when the first of them asks for the time")
  func clock() async {
    await #expect(processExitsWith: .success) {
      let timeline = Timeline()
      timeline.observe(.drop("1", .noSubscriber), on: nil)
      timeline.observe(.drop("2", .noSubscriber), on: nil)

      let times = timeline.events.map(\.time)
      precondition(times[0] < .seconds(10))
      precondition(times[0] <= times[1])
      precondition(times[1] > .zero)
    }
  }
}
