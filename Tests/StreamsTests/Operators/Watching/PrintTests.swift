import Streams
import StreamsTesting
import Testing

@Suite("`print`", .leavesNothing)
struct PrintTests {
  @Test("`print` writes a line for each event, but none for returned demand of zero")
  func lines() {
    let page = Page()
    let recorder = Recorder<Int, Never>(demand: .max(2), answering: { $0 == 1 ? .max(1) : .none })

    [1, 2].publisher.print(to: page).subscribe(recorder)

    #expect(
      page.lines == [
        "receive subscription: ([1, 2])", "request max: (2)", "receive value: (1)",
        "request max: (1) (synchronous)", "receive value: (2)", "receive finished",
      ])
    #expect(recorder.values == [1, 2])
  }

  @Test("`print` writes its prefix before each line")
  func prefixes() {
    let page = Page()
    let script = Script(Int.self, failure: Problem.self)
    let recorder = Recorder<Int, Problem>(answering: .unlimited)
    script.print("numbers", to: page).subscribe(recorder)

    script.say(1)
    script.end(.failure(Problem(code: 3)))

    #expect(
      page.lines == [
        "numbers: receive subscription: (Script)", "numbers: request unlimited",
        "numbers: receive value: (1)",
        "numbers: request unlimited (synchronous)", "numbers: receive error: (Problem(code: 3))",
      ])
  }

  @Test("`print` writes requests and cancellations after the end, too, and no more signals of upstream")
  func cancels() {
    let page = Page()
    let script = Script(Int.self, failure: Never.self)
    let recorder = script.print(to: page).record()

    recorder.cancel()
    recorder.cancel()
    recorder.request(.max(1))
    script.say(1)
    script.end()

    #expect(
      page.lines == [
        "receive subscription: (Script)", "request unlimited", "receive cancel", "receive cancel",
        "request max: (1)",
      ])
    #expect(script.asks == [.request(.unlimited), .cancel])
  }

  @Test(
    "`print` writes what its subscriber does after the completion, and keeps nothing but its output stream for it"
  )
  func late() {
    let page = Page()
    weak var held: AnyObject?
    let recorder = Recorder<Int, Never>(demand: .unlimited)
    do {
      let token = Token()
      held = token
      Just(1).handleEvents(receiveOutput: { _ in _ = token }).print("late", to: page).subscribe(recorder)
    }
    page.text = ""

    recorder.subscriptions[0].request(.unlimited)
    recorder.cancel()

    #expect(page.lines == ["late: request unlimited", "late: receive cancel"])
    #expect(held == nil)
  }

  @Test("`print` writes a second subscription, and cancels it")
  func secondSubscription() {
    let page = Page()
    let script = Script(Int.self, failure: Never.self)
    let recorder = script.print(to: page).record(demand: .none)
    let second = SubscriptionRecorder()

    script.session?.handOver(second)

    #expect(page.lines == ["receive subscription: (Script)", "receive subscription: (Script)"])
    #expect(second.asks == [.cancel])
    #expect(recorder.events == [.subscription])
  }

  @Test("`print` keeps lines whole if its output stream sends another value")
  func reentrant() {
    let page = Page()
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.print(to: page).record()
    page.onWrite = { [unowned subject] line in
      if line.contains("(1)") { subject.send(2) }
    }

    subject.send(1)

    #expect(
      page.lines.filter { $0.hasPrefix("receive value") } == ["receive value: (1)", "receive value: (2)"])
    #expect(Set(recorder.values) == [1, 2])
  }

  @Test("`print` has Combine's name")
  func names() {
    #expect("\(Just(1).print(to: Page()).record(demand: .none).subscriptions[0])" == "Print")
  }
}

/// A text stream that keeps its lines.
private final class Page: TextOutputStream {
  var text = ""
  var onWrite: ((String) -> Void)?

  var lines: [String] { text.split(separator: "\n").map(String.init) }

  func write(_ string: String) {
    text += string
    onWrite?(string)
  }
}

private final class Token {}
