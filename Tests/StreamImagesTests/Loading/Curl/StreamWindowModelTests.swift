import StreamImages
import Testing

/// The window beside one that keeps all samples, and both sides of each of its bounds.
@Suite("Bounds of the stream window") struct StreamWindowModelTests {
  private typealias Sample = StreamWindow.Sample

  /// A window after samples of a second each.
  private func window(
    _ samples: [Sample], starving: Int = 9, streams: Int = 1_000, maximum: Int = 1_000
  ) -> StreamWindow {
    var window = StreamWindow()
    for sample in samples {
      window.take(
        sample, over: .seconds(1), starvingCount: starving, streamCount: streams, maximum: maximum)
    }
    return window
  }

  /// A second in which almost so many loads are completed: no sum is near the next number.
  private func second(_ loads: Int, roundTrip: Duration? = nil) -> Sample {
    Sample(byteCount: loads * 100, announcedByteCount: 1_010, announcementCount: 10, roundTrip: roundTrip)
  }

  @Test("A sample begins empty, and adds up field by field, with the shorter round trip")
  func samples() {
    let empty = Sample()
    #expect(empty.byteCount == 0 && empty.announcedByteCount == 0 && empty.announcementCount == 0)
    #expect(empty.roundTrip == nil)
    for (left, right, shorter) in [(nil, nil, nil), (3, nil, 3), (nil, 4, 4), (3, 4, 3), (4, 3, 3)]
      as [(Int?, Int?, Int?)]
    {
      func sample(_ first: Int, _ seconds: Int?) -> Sample {
        Sample(
          byteCount: first, announcedByteCount: first * 3, announcementCount: first * 7,
          roundTrip: seconds.map { .seconds($0) })
      }
      var sum = sample(1, left)
      sum += sample(10, right)

      #expect(sum == sample(11, shorter))
    }
  }

  @Test("The patience is the shortest round trip, from a quarter of a second to a second")
  func patience() {
    for (milliseconds, patience) in [
      ([], 250), ([1], 250), ([249], 250), ([251], 251), ([999], 999), ([1_000], 1_000), ([1_001], 1_000),
      ([9_000], 1_000), ([800, 700, 900], 700), ([700, 800], 700),
    ] as [([Int], Int)] {
      let samples = [Sample()] + milliseconds.map { Sample(roundTrip: .milliseconds($0)) } + [Sample()]

      #expect(window(samples).patience == .milliseconds(patience))
    }
  }

  @Test("The limit is what two seconds complete, or twice the time that a server takes if that is longer")
  func horizon() {
    for (milliseconds, limit) in [(1, 20), (999, 20), (1_000, 20), (1_500, 30), (3_000, 60)] {
      #expect(window([second(10, roundTrip: .milliseconds(milliseconds))].twice).limit == limit)
    }
  }

  @Test("A limit needs one load that starves, and more streams than three seconds complete")
  func first() {
    let steady = [second(10)].twice
    for (starving, limit) in [(0, nil), (1, 20), (2, 20)] as [(Int, Int?)] {
      #expect(window(steady, starving: starving).limit == limit)
    }
    for (streams, limit) in [(29, nil), (30, nil), (31, 20)] as [(Int, Int?)] {
      #expect(window(steady, streams: streams).limit == limit)
    }
  }

  @Test("A limit is below the maximum, and stays when nothing starves any more")
  func maximum() {
    for (maximum, limit) in [(19, nil), (20, nil), (21, 20)] as [(Int, Int?)] {
      #expect(window([second(10)].twice, maximum: maximum).limit == limit)
    }
    var limited = window([second(10)].twice)
    limited.take(second(10), over: .seconds(1), starvingCount: 0, streamCount: 1, maximum: 1_000)
    #expect(limited.limit == 20)
    limited.take(second(10), over: .seconds(1), starvingCount: 0, streamCount: 1, maximum: 20)
    #expect(limited.limit == nil)
  }

  @Test("A connection still becomes faster if its rate has grown by more than a quarter")
  func growing() {
    // Rates that are exact: 16,000 and a quarter more.
    for (bytes, isGrowing) in [(19_999, false), (20_000, false), (20_001, true)] {
      let samples = [16_000, bytes].map {
        Sample(byteCount: $0, announcedByteCount: 1_000, announcementCount: 1)
      }
      #expect((window(samples).limit == nil) == isGrowing)
    }
  }

  @Test("Without bytes or announcements, a window changes nothing; one of either is enough")
  func nothing() {
    #expect(window([Sample(byteCount: 100)].twice).count(in: 30) == 2)
    #expect(window([Sample(announcedByteCount: 100, announcementCount: 1)].twice).count(in: 30) == 2)
    #expect(window([Sample(announcedByteCount: 100, announcementCount: 1)].twice).limit == nil)
    // One byte a second, of bodies that are smaller than that.
    #expect(
      window([Sample(byteCount: 1, announcedByteCount: 1, announcementCount: 10)]).count(in: 1) == 10)
    #expect(window([Sample(byteCount: 5, announcedByteCount: 1, announcementCount: 1)]).count(in: 1) == 5)
    #expect(
      window([Sample(byteCount: 1 << 40, announcedByteCount: 1, announcementCount: 1)]).count(in: 1)
        == 1_000_000)
  }

  /// Every sample so far, weighted anew each time: bytes and seconds by the time since, announcements by the looks.
  private struct Model {
    var looks: [(sample: Sample, seconds: Double)] = []
    var loadsPerSecond = 0.0
    var limit: Int?

    func count(in seconds: Double) -> Int {
      let loads = (loadsPerSecond * seconds).rounded(.up)
      return loads < 2 ? 2 : loads > 1e6 ? 1_000_000 : Int(loads)
    }

    /// The time to a response, at least so far.
    var roundTrip: Double {
      looks.compactMap { $0.sample.roundTrip.map { $0 / .seconds(1) } }.min() ?? 0
    }

    private func sum(_ value: (Sample, Double) -> Double, _ weight: (Double) -> Double) -> Double {
      looks.indices.map { index in
        looks[(index + 1)...].reduce(value(looks[index].sample, looks[index].seconds)) {
          $0 * weight($1.seconds)
        }
      }.reduce(0, +)
    }

    mutating func take(
      _ sample: Sample, _ seconds: Double, starvingCount: Int, streamCount: Int, maximum: Int
    ) {
      let before = looks.last.map { Double($0.sample.byteCount) / $0.seconds } ?? 0
      looks.append((sample, seconds))
      let now = Double(sample.byteCount) / seconds
      let fading = { (seconds: Double) in 1 / (1 + seconds / 2) }
      let mean =
        sum({ sample, _ in Double(sample.byteCount) }, fading) / sum({ _, seconds in seconds }, fading)
      let announced = sum({ sample, _ in Double(sample.announcedByteCount) }, { _ in 0.9 })
      let announcements = sum({ sample, _ in Double(sample.announcementCount) }, { _ in 0.9 })
      let rate = now > mean ? now : mean
      if announced == 0 || rate == 0 { return }
      loadsPerSecond = rate * announcements / announced
      if limit == nil, starvingCount == 0 || now > before * 1.25 || streamCount <= count(in: 3) { return }
      let fitting = count(in: roundTrip > 1 ? 2 * roundTrip : 2)
      limit = fitting < maximum ? fitting : nil
    }
  }

  @Test("The stream window agrees with one that keeps all samples", arguments: 0..<60)
  func model(seed: UInt64) {
    var random = Generator(seed: seed)
    var (window, model) = (StreamWindow(), Model())
    let scale = Int.random(in: 1...40, using: &random)
    for _ in 0..<30 {
      let milliseconds = [0, 100, 250, 700, 3_000].randomElement(using: &random)!
      let hasNews = Bool.random(using: &random)
      let count = hasNews ? Int.random(in: 1...5, using: &random) : 0
      let sample = Sample(
        byteCount: max(0, Int.random(in: -2_000...10_000, using: &random) * scale),
        announcedByteCount: count * Int.random(in: 1...30_000, using: &random), announcementCount: count,
        roundTrip: hasNews ? .milliseconds(Int.random(in: 100...4_000, using: &random)) : nil)
      let (starving, streams) = (
        Int.random(in: 0...2, using: &random), Int.random(in: 0...200, using: &random)
      )

      window.take(
        sample, over: .milliseconds(milliseconds), starvingCount: starving, streamCount: streams, maximum: 90)
      model.take(
        sample, Double(max(1, milliseconds)) / 1_000, starvingCount: starving, streamCount: streams,
        maximum: 90)

      #expect(window.limit == model.limit)
      for seconds in [0.1, 1, 30] { #expect(window.count(in: seconds) == model.count(in: seconds)) }
      let patience = model.roundTrip < 0.25 ? 0.25 : model.roundTrip > 1 ? 1 : model.roundTrip
      #expect(window.patience / .seconds(1) == patience)
    }
  }
}

extension Array {
  fileprivate var twice: [Element] { self + self }
}
