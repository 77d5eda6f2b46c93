import Testing

import StreamImages

@Suite("The streams of a link") struct StreamWindowTests {
  /// A window after it has seen a link that carries so many bytes a second, with bodies of a size, a look each half second.
  private func window(
    rates: [Int], size: Int, starving: Int = 50, streams: Int = 100, roundTrip: Duration = .milliseconds(50)
  ) -> StreamWindow {
    var window = StreamWindow()
    for rate in rates {
      let sample = StreamWindow.Sample(
        byteCount: rate / 2, announcedByteCount: size * 10, announcementCount: 10, roundTrip: roundTrip)
      window.take(
        sample, over: .milliseconds(500), starvingCount: starving, streamCount: streams, maximum: 100)
    }
    return window
  }

  @Test(
    "are as many as are complete in two seconds, and at least two",
    arguments: [
      (250_000, 197_000, 3), (32_000, 12_000, 6), (8_000, 12_000, 2), (4_000, 200_000, 2),
    ])
  func limited(rate: Int, size: Int, limit: Int) {
    #expect(window(rates: Array(repeating: rate, count: 4), size: size).limit == limit)
  }

  @Test("are not limited on a link that completes a hundred in two seconds")
  func fast() {
    #expect(window(rates: [2_000_000, 2_000_000, 2_000_000], size: 20_000).limit == nil)
  }

  @Test("are not limited while no body waits for others, however slow the server is")
  func slowServer() {
    #expect(window(rates: [8_000, 8_000, 8_000], size: 12_000, starving: 0).limit == nil)
  }

  @Test("are not limited while the connection still becomes faster")
  func growing() {
    #expect(window(rates: [10_000, 20_000, 40_000], size: 20_000).limit == nil)
  }

  @Test("are not limited if little is left to come")
  func few() {
    #expect(window(rates: [20_000, 20_000], size: 12_000, streams: 4).limit == nil)
  }

  @Test("are counted for any time")
  func counted() {
    let window = window(rates: Array(repeating: 24_000, count: 4), size: 12_000)

    #expect(window.count(in: 30) == 60)
    #expect(window.count(in: 0.1) == 2)
  }

  @Test("become more when the link becomes faster, until nothing limits them")
  func faster() {
    let slow = Array(repeating: 8_000, count: 4)

    let more = window(rates: slow + [100_000], size: 12_000).limit
    let all = window(rates: slow + [1_000_000], size: 12_000).limit

    #expect(more == 17)
    #expect(all == nil)
  }

  @Test("are looked at a round trip apart, and not more often than four times a second")
  func patience() {
    #expect(window(rates: [8_000], size: 12_000).patience == .milliseconds(250))
    #expect(
      window(rates: [8_000], size: 12_000, roundTrip: .milliseconds(800)).patience == .milliseconds(800))
  }
}
