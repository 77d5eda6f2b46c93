import Foundation
import Streams
import StreamsExtras
import StreamsTesting
import Testing

/// Signals with times of the test's choice, beside the elements of the image.
@Suite("Timeline image", .serialized, .leavesNothing)
struct TimelineImageTests {
  let timeline = Timeline()

  private var lines: [String] { timeline.svg.components(separatedBy: "\n") }
  /// The lines after the style and the ground.
  private var body: [String] {
    let lines = lines
    return Array(lines[((lines.firstIndex { $0.contains("\"ground\" width") } ?? -1) + 1)...])
  }
  private var times: [String] {
    Array(lines.filter { $0.hasPrefix(#"<text class="time" x="#) }.dropLast())
  }
  /// The signs of the marks, before those of the legend.
  private var signs: [String] {
    let all = lines.compactMap { line in
      line.firstMatch(of: /<g class=.* text-anchor="middle">(.*)<\/text><title>/).map { String($0.1) }
    }
    return Array(all.dropLast(9))
  }
  private var width: Int? { lines[0].firstMatch(of: /width="(\d+)"/).flatMap { Int($0.1) } }

  private func head(width: Int, height: Int) -> String {
    #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \#(width) \#(height)" width="\#(width)" "#
      + #"height="\#(height)" font-family="monospace" font-size="12">"#
  }

  private func mark(
    _ style: String, _ sign: String, x: Int, y: Int, width: Int, center: Int, _ title: String
  ) -> String {
    #"<g class="\#(style)"><rect x="\#(x)" y="\#(y - 10)" width="\#(width)" height="20" rx="10"/>"#
      + #"<text x="\#(center)" y="\#(y + 4)" text-anchor="middle">\#(sign)</text>"#
      + #"<title>\#(title)</title></g>"#
  }

  private func time(_ words: String, x: Int, bottom: Int) -> String {
    #"<text class="time" x="\#(x + 4)" y="20">\#(words)</text>"#
      + #"<line class="tick" x1="\#(x)" y1="10" x2="\#(x)" y2="\#(bottom)"/>"#
  }

  private func legend(y: Int, note: String = "") -> [String] {
    let entries = [
      (12, "plain", "s", "subscription"), (140, "plain", "…", "found"),
      (219, "demand", "3", "request, ∞ unlimited"), (403, "value", "v", "value"),
      (482, "drop", "×v", "dropped"), (575, "plain", "|", "end"), (640, "bad", "#", "failure"),
      (733, "bad", "!", "cancel"), (819, "bad", "~", "released"),
    ]
    return entries.map { x, style, sign, words in
      mark(style, sign, x: x, y: y, width: 24, center: x + 12, words)
        + #"<text x="\#(x + 28)" y="\#(y + 4)">\#(words)</text>"#
    } + [
      #"<text class="time" x="12" y="\#(y + 30)">Times are since the first event that is drawn. "#
        + #"A tooltip has the whole text.\#(note)</text>"#, "</svg>", "",
    ]
  }

  @Test("The image of a timeline without events is the legend")
  func empty() {
    #expect(lines[0] == head(width: 940, height: 98))
    #expect(body == legend(y: 58))
  }

  @Test("The image of one subscription has a lane for it")
  func oneLane() {
    let (one, _) = StagedSignals.pair()
    timeline.stage(.subscribed, on: one, at: 1_000_000)
    timeline.stage(.subscription, on: one, at: 2_000_000)
    timeline.stage(.drop("1", .noSubscriber), on: nil, at: 3_000_000)

    let expected: [String] =
      [
        time("0.0 ms", x: 228, bottom: 71),
        #"<line class="lane" x1="228" y1="51" x2="928" y2="51"/>"#,
        #"<text x="12" y="55">Map → Recorder<title>#\#(one.id) Map → Recorder</title></text>"#,
        mark("plain", "s", x: 228, y: 51, width: 20, center: 238, "subscription\n+0.002s thread 1"),
      ] + legend(y: 92)
    #expect(lines[0] == head(width: 940, height: 132))
    #expect(body.joined(separator: "\n") == expected.joined(separator: "\n"))
  }

  @Test("The image of two subscriptions has a mark of its own for each kind of event")
  func twoLanes() {
    let (below, above) = StagedSignals.pair()
    timeline.stage(.subscription, on: above, at: 5_000_000)
    timeline.stage(.subscription, on: below, at: 5_100_000, thread: 7, queue: "<work>")
    timeline.stage(.requested(.unlimited), on: below, at: 5_200_000)
    timeline.stage(.requested(.max(12_345)), on: above, at: 5_399_999)
    timeline.stage(.text("<&\">"), on: above, at: 8_100_000)
    timeline.stage(.text("abcdefghi"), on: below, at: 1_005_000_000)
    timeline.stage(.drop("z"), on: above, at: 1_005_000_000)
    timeline.stage(.finished, on: below, at: 12_346_600_000)
    timeline.stage(.failed("boom"), on: above, at: 12_346_700_000)
    timeline.stage(.cancelled, on: below, at: 12_346_800_000)
    timeline.stage(.released, on: above, at: 12_346_900_000)
    timeline.stage(.adopted, on: below, at: 12_347_000_000)

    let expected: [String] =
      [
        time("0.0 ms", x: 228, bottom: 105), time("0.3 ms", x: 300, bottom: 105),
        time("1000.0 ms", x: 385, bottom: 105), time("12341.6 ms", x: 484, bottom: 105),
        time("12342.0 ms", x: 580, bottom: 105),
        #"<line class="lane" x1="228" y1="51" x2="928" y2="51"/>"#,
        #"<text x="12" y="55">Map → Recorder<title>#\#(below.id) Map → Recorder</title></text>"#,
        #"<line class="lane" x1="228" y1="85" x2="928" y2="85"/>"#,
        #"<text x="12" y="89">PassthroughSubject → Map"#
          + #"<title>#\#(above.id) PassthroughSubject → Map</title></text>"#,
        mark("plain", "s", x: 228, y: 85, width: 20, center: 238, "subscription\n+0.005s thread 1"),
        mark(
          "plain", "s", x: 252, y: 51, width: 20, center: 262,
          "subscription\n+0.005s thread 7 on &lt;work&gt;"),
        mark("demand", "∞", x: 276, y: 51, width: 20, center: 286, "request unlimited\n+0.005s thread 1"),
        mark("demand", "12345", x: 300, y: 85, width: 42, center: 321, "request 12345\n+0.005s thread 1"),
        mark(
          "value", "&lt;&amp;&quot;&gt;", x: 346, y: 85, width: 35, center: 363,
          "value &lt;&amp;&quot;&gt;\n+0.008s thread 1"),
        mark(
          "value", "abcdefgh…", x: 385, y: 51, width: 70, center: 420,
          "value abcdefghi\n+1.005s thread 1"),
        mark("drop", "×z", x: 459, y: 85, width: 21, center: 469, "drop z: no demand\n+1.005s thread 1"),
        mark("plain", "|", x: 484, y: 51, width: 20, center: 494, "finished\n+12.346s thread 1"),
        mark("bad", "#", x: 508, y: 85, width: 20, center: 518, "failure boom\n+12.346s thread 1"),
        mark("bad", "!", x: 532, y: 51, width: 20, center: 542, "cancel\n+12.346s thread 1"),
        mark("bad", "~", x: 556, y: 85, width: 20, center: 566, "released\n+12.346s thread 1"),
        mark("plain", "…", x: 580, y: 51, width: 20, center: 590, "found\n+12.347s thread 1"),
      ] + legend(y: 126)
    #expect(lines[0] == head(width: 940, height: 166))
    #expect(body.joined(separator: "\n") == expected.joined(separator: "\n"))
  }

  @Test("A lane has the place of its name as a tooltip, and its words are cut after 28 characters")
  func names() {
    let all =
      StagedSignals.attachments {
        _ = PassthroughSubject<Int, Never>().named("<12345>", fileID: "A&B.swift", line: 3).record()
      }.prefix(1) + StagedSignals.attachments { _ = PassthroughSubject<Int, Never>().record() }
    for one in all { timeline.stage(.subscription, on: one, at: 1_000_000) }

    let texts = lines.filter { $0.hasPrefix(#"<text x="12" "#) }
    #expect(
      texts.first == #"<text x="12" y="55">Named → Recorder (&lt;12345&gt;)"#
        + #"<title>#\#(all[0].id) Named → Recorder (&lt;12345&gt;) at A&amp;B.swift:3</title></text>"#)
    #expect(texts.last?.hasPrefix(#"<text x="12" y="89">PassthroughSubject → Recorde…<"#) == true)
  }

  @Test("A time is drawn as soon as the one before it has ended")
  func timeSpacing() {
    let (one, _) = StagedSignals.pair()
    timeline.stage(.text("aa"), on: one, at: 0)
    for _ in 1...9 { timeline.stage(.text("aa"), on: one, at: 1_234_567_890_100_000) }

    // The first one takes 62 points, and one of 15 characters 125, as five marks do.
    #expect(
      times == [
        time("0.0 ms", x: 228, bottom: 71), time("1234567890.1 ms", x: 303, bottom: 71),
        time("1234567890.1 ms", x: 428, bottom: 71),
      ])
  }

  @Test("Values have eight characters as long as all marks take at most 1,020 points", arguments: [2, 3])
  func fullWidth(pairs: Int) {
    let (one, _) = StagedSignals.pair()
    for _ in 1...5 { timeline.stage(.text("abcdefghijkl"), on: one, at: 1_000) }
    for _ in 1...pairs { timeline.stage(.text("aa"), on: one, at: 1_000) }
    for _ in 1...(27 - pairs) { timeline.stage(.cancelled, on: one, at: 1_000) }

    // Of 74, 25 and 24 points: 1,020 with two pairs, and 1,021 with three.
    #expect(Array(signs.prefix(5)) == (pairs == 2 ? "abcdefgh…" : "abcdefg…").repeated(5))
    #expect(width == (pairs == 2 ? 1_264 : 1_230))
  }

  @Test(
    "Values have two characters if there are many, and only the newest 400 events are drawn",
    arguments: [400, 401])
  func many(count: Int) {
    let (below, above) = StagedSignals.pair()
    timeline.stage(.text("first"), on: above, at: 1_000)
    for _ in 1..<count { timeline.stage(.text("later"), on: below, at: 2_000) }

    let end = count == 400 ? legend(y: 126) : legend(y: 92, note: " 1 earlier events are left out.")
    #expect(signs == (count == 400 ? ["fi…"] : []) + "la…".repeated(count - 1))
    #expect(lines.suffix(3) == end.suffix(3))
    #expect(width == 228 + 400 * 32 + 16)
  }

  @Test("Characters that XML does not allow are replaced in an image, and others are kept")
  func characters() {
    let (one, _) = StagedSignals.pair()
    timeline.stage(.text("a\u{1}\u{1F} b\tc\nd\u{FFFE}\u{FFFF}\u{FFFD}é'"), on: one, at: 1_000)

    #expect(
      timeline.svg.contains(
        "<title>value a\u{FFFD}\u{FFFD} b\tc\nd\u{FFFD}\u{FFFD}\u{FFFD}é'\n+0.000s thread 1</title>"))
  }
}

extension String {
  fileprivate func repeated(_ count: Int) -> [String] { Array(repeating: self, count: count) }
}
