import ScriptedModels
import Streams
import StreamsExtras
import StreamsInspector
import Testing

/// The page in a real browser.
@Suite("Page of the inspector", .enabled(if: Browser.program != nil, "no Chromium is installed"))
struct PageTests {
  @Test("After 1,000 random subscriptions, cancellations and values, the page shows what is open")
  func random() async {
    await #expect(processExitsWith: .success) {
      let inspector = try StreamInspector.start()
      let subject = PassthroughSubject<Int, Never>()
      var (open, random): ([(AnyCancellable, values: Int)], SplitMix64) = ([], SplitMix64(seed: 7))
      for step in 0..<1_000 {
        switch random.next() % 3 {
        case 0: open.append((subject.map { $0 }.filter { $0 >= 0 }.sink { _ in }, 0))
        case 1: if !open.isEmpty { open.remove(at: Int(random.next() % UInt64(open.count))) }
        default:
          subject.send(step)
          for index in open.indices { open[index].values += 1 }
        }
      }

      let page = try Browser.elements(of: inspector.url)
      let rows = page.matches(of: /<div class="row cells( end)?" id="row-?\d+"[^>]*>/)
      let operators = page.matches(of: /<b>(\w+)<\/b>/).map { String($0.1) }
      precondition(page.contains("<dd id=\"subscriptions\">\(3 * open.count)</dd>"), page)
      precondition(page.contains("<dd id=\"chains\">\(open.count)</dd>"))
      precondition(rows.count == 4 * open.count, "\(rows.count) \(open.count)")
      precondition(operators.count(where: { $0 == "PassthroughSubject" }) == open.count)
      precondition(operators.count(where: { $0 == "Sink" }) == open.count)
      precondition(page.contains(">Live</div>"))
      try check(inspector.list().rows.filter(\.root).map(\.values) == open.map(\.values))
      precondition(LiveSubscriptions().summaries.count == 3 * open.count)
    }
  }

  @Test("Names and values that look like markup or scripts are shown as they are")
  func inertness() async {
    await #expect(processExitsWith: .success) {
      let inspector = try StreamInspector.start()
      let subject = PassthroughSubject<String, Never>()
      let name = #"</script><img src=x onerror="document.title='broken'">'"`${1}"#
      let sink = subject.named(name, fileID: "A\"/<b id=broken>.swift").sink { _ in }
      for value in [
        "<script>document.title = 'broken'</script>", "a\u{2028}b\u{2029}\u{0}\u{202E}",
        "</li></ol><b id='broken'>",
      ] {
        subject.send(value)
      }
      let id = try inspector.list().rows[0].id

      let page = try Browser.elements(of: "\(inspector.url)#\(id)")
      precondition(page.contains("<title>Streams inspector</title>"), page)
      precondition(page.contains("&lt;/script&gt;&lt;img src=x onerror="))
      precondition(page.contains("value &lt;script&gt;document.title = 'broken'&lt;/script&gt;"))
      precondition(page.contains("value a\u{2028}b\u{2029}"))
      precondition(page.contains("value &lt;/li&gt;&lt;/ol&gt;&lt;b id='broken'&gt;"))
      precondition(!page.contains("<img") && !page.contains("<b id"))
      precondition(page.matches(of: /<script/).count == 1)
      withExtendedLifetime(sink) {}
    }
  }

  @Test("Without its token, the browser shows no list")
  func token() async {
    await #expect(processExitsWith: .success) {
      let inspector = try StreamInspector.start()

      let page = try Browser.elements(of: "http://127.0.0.1:\(inspector.port)/")

      precondition(page.contains("Forbidden"))
      precondition(!page.contains("Subscriptions"))
    }
  }
}
