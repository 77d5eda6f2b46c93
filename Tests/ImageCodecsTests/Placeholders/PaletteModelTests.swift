import ImageCodecs
import Testing

@Suite("Palettes beside a plain model")
struct PaletteModelTests {
  /// Colors whose upper five bits agree.
  private struct Bin {
    var weight = 0.0
    var sums = [0.0, 0, 0]

    var mean: [Double] { sums.map { $0 / weight } }

    static func total(_ bins: [Bin]) -> Bin {
      bins.reduce(into: Bin()) { total, bin in
        total.weight += bin.weight
        for channel in 0..<3 { total.sums[channel] += bin.sums[channel] }
      }
    }

    /// For each channel, how far the bins are from their mean.
    static func spread(_ bins: [Bin]) -> [Double] {
      let mean = total(bins).mean
      var spread = [0.0, 0, 0]
      for bin in bins {
        for (channel, value) in bin.mean.enumerated() {
          let distance = value - mean[channel]
          spread[channel] += distance * distance * bin.weight
        }
      }
      return spread
    }
  }

  private struct Color {
    var color: [UInt8]
    var share: Double
  }

  private func bins(_ image: Image) -> [Bin] {
    var bins: [Int: Bin] = [:]
    for y in 0..<image.height {
      for x in 0..<image.width {
        guard let pixel = image.pixel(x: x, y: y), pixel.alpha > 0 else { continue }
        let channels = [pixel.red, pixel.green, pixel.blue]
        let place = channels.reduce(0) { $0 * 32 + Int($1) / 8 }
        let weight = Double(pixel.alpha) / 255
        bins[place, default: Bin()].weight += weight
        for (channel, value) in channels.enumerated() {
          bins[place, default: Bin()].sums[channel] += Double(value) * weight
        }
      }
    }
    return bins.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The group that differs most is halved until there are enough. Then each color moves to the nearest mean, eight
  /// times.
  private func palette(_ image: Image, _ count: Int) -> [Color] {
    let bins = bins(image)
    var groups = [bins]
    while groups.count < count {
      let spreads = groups.map { Bin.spread($0).reduce(0, +) }
      guard let most = spreads.max(), most > 0, let widest = spreads.firstIndex(of: most) else { break }
      let group = groups.remove(at: widest)
      let spread = Bin.spread(group)
      let channel = spread.firstIndex(of: spread.max() ?? 0) ?? 0
      let limit = Bin.total(group).mean[channel]
      groups.append(group.filter { $0.mean[channel] < limit })
      groups.append(group.filter { $0.mean[channel] >= limit })
    }
    for _ in 1...8 {
      let means = groups.map { Bin.total($0).mean }
      groups = means.map { _ in [] }
      for bin in bins {
        let color = bin.mean
        let distances = means.map { (mean: [Double]) -> Double in
          let (red, green, blue) = (mean[0] - color[0], mean[1] - color[1], mean[2] - color[2])
          return red * red + green * green + blue * blue
        }
        groups[distances.firstIndex(of: distances.min() ?? 0) ?? 0].append(bin)
      }
      groups.removeAll { $0.isEmpty }
    }
    let totals = groups.map(Bin.total)
    let weight = totals.reduce(0) { $0 + $1.weight }
    let colors = totals.map { total in
      Color(color: total.mean.map { UInt8($0.rounded()) }, share: total.weight / weight)
    }
    // Equal shares stay in their order.
    return colors.enumerated()
      .sorted { ($1.element.share, $0.offset) < ($0.element.share, $1.offset) }.map(\.element)
  }

  @Test("Colors and their shares are those of the model", arguments: [1, 2, 3, 5, 16, 64])
  func colors(count: Int) throws {
    for image in [
      try Samples.noise(40, 30, .rgb8), try Samples.noise(40, 30, .rgba8), try Samples.noise(9, 7, .rgba8),
      try Samples.picture(100, 60, .rgb8), try Samples.picture(100, 60, .rgba8),
      try HashedImage.stripes.drawn(64, 64), try HashedImage.curves.drawn(90, 70),
    ] {
      let found = try image.palette(count: count)

      let model = palette(image, count)
      try #require(found.count == model.count)
      for (swatch, color) in zip(found, model) {
        #expect([swatch.color.red, swatch.color.green, swatch.color.blue] == color.color)
        #expect(swatch.color.alpha == 255 && abs(swatch.share - color.share) < 1e-9)
      }
    }
  }

  /// The reds and greens of a palette, of as many pixels of each color.
  private func palette(_ colors: [(red: UInt8, green: UInt8)], count: Int) throws -> [[UInt8]] {
    let bytes = colors.flatMap { color -> [UInt8] in [color.red, color.green, 0] }
    let image = try Image(bytes: bytes, width: colors.count, height: 1, pixelFormat: .rgb8)
    return try image.palette(count: count).map { [$0.color.red, $0.color.green] }
  }

  @Test("Among equals, the first group is halved, in the first channel, and the lower half comes first")
  func ties() throws {
    let pairs: [(UInt8, UInt8)] = [(0, 0), (16, 0), (200, 0), (216, 0)]
    #expect(try palette(pairs, count: 3) == [[208, 0], [0, 0], [16, 0]])
    let square: [(UInt8, UInt8)] = [(0, 0), (0, 16), (16, 0), (16, 16)]
    #expect(try palette(square, count: 2) == [[0, 8], [16, 8]])
  }

  @Test("Two pixels whose colors hardly differ are two colors of a palette, also if they are hardly seen")
  func near() throws {
    #expect(try palette([(7, 0), (8, 0)], count: 2) == [[7, 0], [8, 0]])
    let faint = try Image(bytes: [7, 0, 0, 1, 8, 0, 0, 1], width: 2, height: 1, pixelFormat: .rgba8)
    #expect(try faint.palette(count: 9).map(\.color.red) == [7, 8])
  }
}
