import Dispatch
import Streams
import StreamsExtras
import StreamsFoundation
import StreamsFoundationExtras
import StreamsTesting
import Testing

/// The code of `Docs/testing.md`.
final class Search {
  let term = PassthroughSubject<String, Never>()
  let requests: AnyPublisher<String, Never>

  init(scheduler: AnySchedulerOf<DispatchQueue> = .main) {
    requests = term.debounce(for: .milliseconds(300), scheduler: scheduler).eraseToAnyPublisher()
  }
}

extension Publisher {
  func doubled() -> some Publisher<[Output], Failure> { map { [$0, $0] } }
}

func number(_ text: String) throws -> Int {
  guard let number = Int(text) else { throw TestFailure.thrown }
  return number
}

@Suite("Testing guide")
struct TestingGuideTests {
  @Test("The guide's example of virtual time debounces a search")
  func time() {
    let scheduler = DispatchQueue.test
    let search = Search(scheduler: scheduler.eraseToAnyScheduler())
    let recorder = search.requests.record()

    search.term.send("dande")
    scheduler.advance(by: .milliseconds(200))
    search.term.send("dandelion")
    scheduler.advance(by: .milliseconds(300))

    #expect(recorder.values == ["dandelion"])
    recorder.cancel()
  }

  @Test("The guide's example of immediate and unimplemented schedulers searches without waiting")
  func otherSchedulers() {
    let hasty = Search(scheduler: .immediate)
    let idle = Search(scheduler: .unimplemented("idle search"))

    let recorder = hasty.requests.record()
    hasty.term.send("dandelion")

    #expect(recorder.values == ["dandelion"])
    withExtendedLifetime(idle) {}
    recorder.cancel()
  }

  @Test("The guide's example of asynchronous `advance` delivers the search after a second")
  func tasks() async {
    let scheduler = DispatchQueue.test
    let search = Search(scheduler: scheduler.eraseToAnyScheduler())
    let recorder = search.requests.record()
    search.term.send("dandelion")

    await scheduler.advance(by: .seconds(1))

    #expect(recorder.values == ["dandelion"])
    recorder.cancel()
  }

  @Test("The guide's example of awaiting recorded values receives all values")
  func waiting() async throws {
    let recorder = [1, 2, 3].publisher.receive(on: DispatchQueue.global()).record()

    #expect(try await recorder.next() == 1)
    #expect(try await recorder.elements() == [1, 2, 3])
  }

  @Test("The guide's example of stepwise demand records requests and the cancellation")
  func demand() {
    let upstream = Script(Int.self, failure: Never.self)
    let recorder = upstream.filter { $0 > 1 }.record(demand: .max(1))

    upstream.say(1)
    recorder.cancel()

    #expect(upstream.asks == [.request(.max(1)), .cancel])
  }

  @Test("The guide's example of marble diagrams draws streams")
  func marbles() throws {
    let seen = try Marble("a-bc---|").play { upstream, scheduler in
      upstream.debounce(for: 2, scheduler: scheduler)
    }
    #expect(seen == "--a--c-|")

    let scheduler = VirtualScheduler.virtual
    let letters = try Marble("a--b|").publisher(on: scheduler)
    let digits = try Marble("-1-2-|").publisher(on: scheduler)
    #expect(scheduler.diagram(of: letters.merge(with: digits)) == "a1-(b2)-|")
  }

  @Test("The guide's example of `checkLaws` reports no violations")
  func laws() {
    let report = checkLaws { upstream in upstream.doubled() }
    #expect(report.violations.isEmpty, "\(report)")

    let parsing = checkLaws(
      exempt: [.h28: "tryMap counts no demand: its upstream does"], inputs: ["1", "2"], throwing: "one"
    ) { upstream in upstream.tryMap(number) }

    let pacing = checkLaws([.losesUnasked, .thinsOut]) { upstream, scheduler in
      upstream.debounce(for: 1, scheduler: scheduler)
    }

    let joining = checkLaws(assembling: { stand in
      stand.upstream().zip(stand.upstream(saying: ["a", "b"])) { "\($0)\($1)" }
    })

    for report in [parsing, pacing, joining] {
      #expect(report.violations.isEmpty && report.stale.isEmpty, "\(report)")
    }
  }
}
