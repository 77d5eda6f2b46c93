import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("Debugging operators", .leavesNothing, .serialized)
struct DebuggingTests {
  @Test("`debug` reports place, subscription and signals without changing the stream")
  func debug() {
    var events: [DebugEvent] = []
    let publisher = (1...3).publisher.debug("numbers", fileID: "App/Main.swift", line: 7) {
      events.append($0)
    }

    let recorder = publisher.record(demand: .max(2))
    recorder.cancel()
    let second = publisher.prefix(1).record()

    #expect(recorder.values == [1, 2])
    #expect(second.values == [1])
    #expect(
      events.prefix(5).map(\.signal)
        == ["subscription \(1...3)", "request 2", "value 1", "value 2", "cancel"])
    #expect(events.map(\.subscription).suffix(3) == [2, 2, 2])
    #expect(Set(events.map(\.thread)).count == 1)
    #expect(events[0].description.hasPrefix("App/Main.swift:7 numbers #1 +"))
    #expect(events.map(\.elapsed) == events.map(\.elapsed).sorted())
    #expect(events[0].place == CallSite(fileID: "App/Main.swift", line: 7))
  }

  @Test("`debug` shortens long values, and records its place in the source")
  func trim() {
    var events: [DebugEvent] = []

    let recorder = Just("abcdefgh").debug(trim: 4) { events.append($0) }.record()

    #expect(events.map(\.signal).contains("value \"abc…"))
    #expect(events[0].place.fileID.hasSuffix("DebuggingTests.swift"))
    withExtendedLifetime(recorder) {}
  }

  @Test("A failure lists the checkpoints it has passed, the nearest to its origin first")
  func checkpoints() {
    let failing = Fail<Int, Problem>(error: Problem(code: 1))

    let recorder = failing.checkpoint("download", fileID: "App/A.swift", line: 1)
      .map { $0 + 1 }.checkpoint("show", fileID: "App/B.swift", line: 2).record()

    guard case .failure(let failure)? = recorder.completions.first else {
      Issue.record("it did not fail")
      return
    }
    #expect(failure.base == Problem(code: 1))
    #expect(failure.checkpoints.map(\.name) == ["download", "show"])
    #expect(
      failure.description.hasSuffix("by \"download\" at App/A.swift:1, by \"show\" at App/B.swift:2"))
    #expect([1].publisher.checkpoint().record().values == [1])
  }

  @Test("`chainDescription` lists a chain's stages from the last one upwards")
  func chain() {
    let subject = PassthroughSubject<Int, Never>()
    let publisher = subject.zip([1].publisher).map { $0 + $1 }.filter { $0 > 0 }

    #expect(publisher.chainDescription == "Filter\n  Map\n    Zip\n      PassthroughSubject\n      Sequence")
    #expect(publisher.eraseToAnyPublisher().chainDescription == "AnyPublisher")
  }

  @Test("A timeline records subscriptions, requests, values and the completion between all stages")
  func timeline() {
    let timeline = Timeline(onlyThisThread: true)
    timeline.enable()
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.removeDuplicates().filter { $0 > 1 }.record()
    for value in 1...3 { subject.send(value) }
    subject.send(completion: .finished)
    timeline.disable()

    let names = ["Filter → Recorder", "RemoveDuplicates → Filter", "PassthroughSubject → RemoveDuplicates"]
    let lines = timeline.text.split(separator: "\n").map { $0.split(separator: " ").last ?? "" }
    #expect(recorder.values == [2, 3])
    #expect(timeline.subscriptions.count == 3)
    #expect(timeline.subscriptions.map(\.parent) == [nil] + timeline.subscriptions.dropLast().map(\.id))
    #expect(
      zip(timeline.subscriptions, names).allSatisfy { $0.description.hasPrefix($1.prefix { $0 != " " }) })
    #expect(lines.map { $0.filter { $0 != "-" } } == ["s?∞23|", "s?∞1?123|", "s?∞1?123|"])  // what is left out is asked for anew
    #expect(Set(lines.map(\.count)).count == 1)
    #expect(timeline.log.contains("request unlimited"))
    #expect(timeline.log.contains("value 3"))
    #expect(timeline.log.hasPrefix("0 "))
  }

  @Test("A timeline records cancellations and failures, and renders text and SVG")
  func drawing() {
    let timeline = Timeline(onlyThisThread: true)
    timeline.enable()
    let script = Script(String.self, failure: Problem.self)
    let recorders = [
      script.map { "<\($0)>" }.record(), Fail<String, Problem>(error: Problem(code: 1)).record(),
    ]
    script.say("&")
    recorders[0].cancel()
    timeline.disable()

    let kinds = Set(timeline.events.map(\.kind))
    #expect(kinds.isSuperset(of: [.subscribed, .subscription, .requested(nil), .cancelled, .value("<&>")]))
    #expect(timeline.text.contains("#"))
    #expect(timeline.svg.hasPrefix("<svg"))
    #expect(timeline.svg.hasSuffix("</svg>\n"))
    #expect(timeline.svg.contains("value &lt;&amp;&gt;"))
    #expect(!timeline.svg.contains("<&>"))
  }

  @Test("`SubscriptionCounter` counts open subscriptions")
  func counting() {
    let counter = SubscriptionCounter()
    counter.enable()
    defer { counter.disable() }
    let subject = PassthroughSubject<Int, Never>()

    let first = subject.record()
    let second = subject.record()
    let before = counter.open
    first.cancel()
    let between = counter.open
    subject.send(completion: .finished)

    #expect([before, between, counter.open] == [2, 1, 0])
    #expect(counter.total == 2)
    withExtendedLifetime(second) {}
  }
}
