import Testing

import StreamImages

@Suite("`StreamWindow`") struct StreamWindowTests {
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
    "The stream limit is the number of streams completed in two seconds, at least two",
    arguments: [
      (250_000, 197_000, 3), (32_000, 12_000, 6), (8_000, 12_000, 2), (4_000, 200_000, 2),
    ])
  func limited(rate: Int, size: Int, limit: Int) {
    #expect(window(rates: Array(repeating: rate, count: 4), size: size).limit == limit)
  }

  @Test("A link that completes a hundred streams in two seconds has no stream limit")
  func fast() {
    #expect(window(rates: [2_000_000, 2_000_000, 2_000_000], size: 20_000).limit == nil)
  }

  @Test("A slow server without waiting bodies causes no stream limit")
  func slowServer() {
    #expect(window(rates: [8_000, 8_000, 8_000], size: 12_000, starving: 0).limit == nil)
  }

  @Test("A connection that is still accelerating has no stream limit")
  func growing() {
    #expect(window(rates: [10_000, 20_000, 40_000], size: 20_000).limit == nil)
  }

  @Test("A link with few streams has no stream limit")
  func few() {
    #expect(window(rates: [20_000, 20_000], size: 12_000, streams: 4).limit == nil)
  }

  @Test("The stream window computes the number of streams for any duration")
  func counted() {
    let window = window(rates: Array(repeating: 24_000, count: 4), size: 12_000)

    #expect(window.count(in: 30) == 60)
    #expect(window.count(in: 0.1) == 2)
  }

  @Test("The stream limit rises as the link becomes faster, until it disappears")
  func faster() {
    let slow = Array(repeating: 8_000, count: 4)

    let more = window(rates: slow + [100_000], size: 12_000).limit
    let all = window(rates: slow + [1_000_000], size: 12_000).limit

    #expect(more == 17)
    #expect(all == nil)
  }

  @Test("Measurements of a link are one round trip apart, at most four per second")
  func patience() {
    #expect(window(rates: [8_000], size: 12_000).patience == .milliseconds(250))
    #expect(
      window(rates: [8_000], size: 12_000, roundTrip: .milliseconds(800)).patience == .milliseconds(800))
  }
}
