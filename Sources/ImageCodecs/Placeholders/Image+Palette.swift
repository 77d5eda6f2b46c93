extension Image {
  /// A color of a palette.
  public struct Swatch: Sendable, Hashable {
    /// The average of the colors that it stands for. It is opaque.
    public let color: Pixel
    /// Its share of the image without transparent parts, from 0 to 1.
    public let share: Double
  }

  /// Returns the colors that represent the image best, by decreasing share.
  ///
  /// There are fewer than `count` if the image has fewer colors, and none if it is transparent. Each pixel counts as much as
  /// it is opaque. Sides of more than 128 pixels are reduced first, and colors with a profile are converted to sRGB.
  ///
  /// Throws ``ImageCodecError/invalidSetting(_:)`` unless `count` is from 1 to 64.
  ///
  /// - Complexity: O(pixels + `count`).
  public func palette(
    count: Int, isCancelled: @escaping () -> Bool = { false }
  ) throws(ImageCodecError) -> [Swatch] {
    guard (1...64).contains(count) else { throw .invalidSetting("a palette of \(count) colors") }
    let small = try resized(to: .fitting(128), isCancelled: isCancelled)
      .convertedToSRGB(isCancelled: isCancelled).withAlpha()
    return ColorClusters(of: small, count: count).swatches
  }

  /// Returns the color with the largest share in a palette of five; `nil` if the image is transparent.
  ///
  /// It is not the average, which often does not occur in the image.
  public func dominantColor(
    isCancelled: @escaping () -> Bool = { false }
  ) throws(ImageCodecError) -> Pixel? {
    try palette(count: 5, isCancelled: isCancelled).first?.color
  }
}

/// Divides the colors of an image into groups that differ little.
private struct ColorClusters {
  /// Colors with their weight. A color is kept as a sum, so that sums of groups are exact.
  private struct Sum {
    var weight = 0.0
    var color = SIMD3<Double>.zero

    var mean: SIMD3<Double> { color / weight }

    mutating func add(_ other: Sum) {
      weight += other.weight
      color += other.color
    }
  }

  private var groups: [[Sum]] = []

  /// The image is in RGBA.
  init(of image: Image, count: Int) {
    let colors = Self.colors(of: image)
    guard !colors.isEmpty else { return }
    groups = [colors]
    while groups.count < count, let next = Self.widest(of: groups) {
      groups += Self.halves(of: groups.remove(at: next))
    }
    // A group's neighbours can have colors that are closer to its own mean.
    for _ in 0..<8 { regroup(colors) }
  }

  var swatches: [Image.Swatch] {
    let all = groups.map(Self.total)
    let weight = all.reduce(0) { $0 + $1.weight }
    return all.sorted { $0.weight > $1.weight }.map { group in
      let color = group.mean.rounded(.toNearestOrAwayFromZero)
      return Image.Swatch(
        color: Image.Pixel(red: UInt8(color.x), green: UInt8(color.y), blue: UInt8(color.z)),
        share: group.weight / weight)
    }
  }

  /// Colors whose upper five bits agree are one.
  private static func colors(of image: Image) -> [Sum] {
    var bins = [Sum](repeating: Sum(), count: 1 << 15)
    image.withUnsafeBytes { pixels in
      for start in stride(from: 0, to: pixels.count, by: 4) {
        let (red, green, blue) = (pixels[start], pixels[start + 1], pixels[start + 2])
        let weight = Double(pixels[start + 3]) / 255
        let bin = Int(red >> 3) << 10 | Int(green >> 3) << 5 | Int(blue >> 3)
        let color = SIMD3(Double(red), Double(green), Double(blue))
        bins[bin].add(Sum(weight: weight, color: color * weight))
      }
    }
    return bins.filter { $0.weight > 0 }
  }

  private static func total(_ group: [Sum]) -> Sum { group.reduce(into: Sum()) { $0.add($1) } }

  /// For each channel, the weighted squares of the distances to the mean.
  private static func spread(_ group: [Sum]) -> SIMD3<Double> {
    let mean = total(group).mean
    return group.reduce(.zero) { sum, color in
      let distance = color.mean - mean
      return sum + distance * distance * color.weight
    }
  }

  private static func widest(of groups: [[Sum]]) -> Int? {
    let spreads = groups.map { spread($0).sum() }
    let widest = groups.indices.max { spreads[$0] < spreads[$1] }
    // Several colors always differ.
    return widest.flatMap { groups[$0].count > 1 ? $0 : nil }
  }

  /// The halves on both sides of the mean, in the channel that differs most.
  private static func halves(of group: [Sum]) -> [[Sum]] {
    let spread = spread(group)
    let channel = (0..<3).max { spread[$0] < spread[$1] } ?? 0
    let limit = total(group).mean[channel]
    let lower = group.filter { $0.mean[channel] < limit }
    return [lower, group.filter { $0.mean[channel] >= limit }].filter { !$0.isEmpty }
  }

  private mutating func regroup(_ colors: [Sum]) {
    let means = groups.map { Self.total($0).mean }
    var new = [[Sum]](repeating: [], count: means.count)
    for color in colors {
      let distances = means.map { mean in
        let distance = mean - color.mean
        return (distance * distance).sum()
      }
      new[distances.indices.min { distances[$0] < distances[$1] } ?? 0].append(color)
    }
    groups = new.filter { !$0.isEmpty }
  }
}
