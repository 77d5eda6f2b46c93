import ImageCodecs
import Testing

@Suite("Palettes of GIF and their definition")
struct GIFPaletteTests {
  private static func image(_ width: Int, _ height: Int, _ color: (Int, Int) -> [UInt8]) throws -> Image {
    let bytes = (0..<width * height).flatMap { color($0 % width, $0 / width) }
    return try Image(bytes: bytes, width: width, height: height, pixelFormat: .rgba8)
  }

  private static func images() throws -> [Image] {
    var random = SeededRandom(seed: 17)
    var images = try [(20, 17), (1, 300), (300, 1), (37, 41)].map { width, height in
      try image(width, height) { _, _ -> [UInt8] in
        let alpha: UInt8 = random.below(5) == 0 ? 0 : 255
        return [random.byte(), random.byte(), random.byte(), alpha]
      }
    }
    // Smooth, with all errors in one direction; of few cubes, which are cut until each has a color; and of one axis each.
    images.append(try image(60, 50) { x, y in [UInt8(x * 4), UInt8(y * 5), UInt8((x + y) * 2), 255] })
    images.append(
      try image(64, 9) { x, y in [UInt8(100 + x / 2), UInt8(100 + y), UInt8(90 + x / 3 + y), 255] })
    images += try (0..<3).map { axis in
      try image(256, 3) { x, y in
        var color: [UInt8] = [UInt8(y), UInt8(y), UInt8(y), 255]
        color[axis] = UInt8(x)
        return color
      }
    }
    for count in [255, 256, 257] {
      images.append(
        try image(count, 2) { x, y -> [UInt8] in
          y == 0 ? [UInt8(x % 256), UInt8(x / 256), UInt8(x / 2), 255] : [7, 7, 7, 0]
        })
    }
    return images
  }

  @Test(
    "More than 255 colors become those of median cut and diffusion, written once more in plain loops",
    arguments: 0..<12)
  func model(index: Int) throws {
    let image = try Self.images()[index]

    let found = try ImageDecoder.decode(ImageEncoder.encode(image, as: .gif))

    let expected = PaletteModel(image).drawn
    #expect(found.size == image.size)
    let size = found.pixelFormat.bytesPerPixel, bytes = found.bytes
    let pixels = (0..<image.width * image.height).map { place in
      Array(bytes[place * size..<place * size + size]) + (size == 4 ? [] : [255] as [UInt8])
    }
    let wrong = pixels.indices.filter { pixels[$0] != expected[$0] }
    #expect(wrong.isEmpty, "\(wrong.count), the first at \(wrong.first ?? 0)")
  }
}

private struct PaletteModel {
  private typealias Color = [Int]

  /// The colors of pixels as they are drawn, transparent ones as zeros.
  let drawn: [[UInt8]]

  init(_ image: Image) {
    let bytes = image.bytes
    let pixels = (0..<image.width * image.height).map { place in (0..<4).map { Int(bytes[place * 4 + $0]) } }
    let visible = pixels.filter { $0[3] > 0 }.map { Array($0[..<3]) }
    let colors: [Color?] =
      Set(visible).count <= 255
      ? pixels.map { $0[3] > 0 ? Array($0[..<3]) : nil }
      : Self.diffused(pixels, image.width, Self.palette(visible))
    drawn = colors.map { color -> [UInt8] in
      guard let color else { return [0, 0, 0, 0] }
      return [UInt8(color[0]), UInt8(color[1]), UInt8(color[2]), 255]
    }
  }

  private static func cube(_ color: Color) -> [Int] { [color[0] / 8, color[1] / 4, color[2] / 8] }

  /// Some cubes, and what decides which are cut next, and along which axis.
  private struct Part {
    let cubes: [[Int]]
    let count: Int
    let axis: Int
    let weight: Double

    init(_ cubes: [[Int]], _ members: [[Int]: [Color]]) {
      self.cubes = cubes
      count = cubes.reduce(0) { $0 + (members[$1]?.count ?? 0) }
      let sizes = [8, 4, 8], weights = [3, 4, 2]
      let lengths = (0..<3).map { (axis: Int) -> Int in
        let levels = cubes.map { $0[axis] }
        return ((levels.max() ?? 0) - (levels.min() ?? 0)) * sizes[axis] * weights[axis]
      }
      axis = lengths.indices.first { lengths[$0] == lengths.max() } ?? 0
      weight = cubes.count > 1 ? Double(lengths[axis] * lengths[axis]) * Double(count) : 0
    }
  }

  private static func palette(_ colors: [Color]) -> [Color] {
    let members = Dictionary(grouping: colors, by: cube)
    var parts = [Part(members.keys.sorted { $0.lexicographicallyPrecedes($1) }, members)]
    while parts.count < 255 {
      let most = parts.map(\.weight).max() ?? 0
      guard most > 0, let best = parts.firstIndex(where: { $0.weight == most }) else { break }
      let part = parts[best]
      // Cubes of one level stay in their order.
      let sorted = part.cubes.enumerated().sorted {
        ($0.element[part.axis], $0.offset) < ($1.element[part.axis], $1.offset)
      }.map(\.element)
      // The fewest cubes with a half of the pixels: at least one, and all but two at most.
      var middle = 0, before = 0
      while before < part.count / 2 {
        before += members[sorted[middle]]?.count ?? 0
        middle += 1
      }
      middle = max(1, min(middle, sorted.count - 2))
      parts[best] = Part(Array(sorted[..<middle]), members)
      parts.append(Part(Array(sorted[middle...]), members))
    }
    return parts.map { part in
      let all = part.cubes.flatMap { members[$0] ?? [] }
      return (0..<3).map { (axis: Int) -> Int in
        let sum = all.reduce(0) { $0 + $1[axis] }
        return (sum + all.count / 2) / all.count
      }
    }
  }

  private static func diffused(_ pixels: [[Int]], _ width: Int, _ palette: [Color]) -> [Color?] {
    var errors = [[Int]](repeating: [0, 0, 0], count: pixels.count), nearest: [[Int]: Color] = [:]
    return pixels.indices.map { place in
      guard pixels[place][3] > 0 else { return nil }
      let wanted = (0..<3).map { (axis: Int) in
        min(max(pixels[place][axis] + errors[place][axis] / 16, 0), 255)
      }
      let cube = cube(wanted)
      let chosen =
        nearest[cube] ?? Self.nearest(to: [cube[0] * 8 + 4, cube[1] * 4 + 2, cube[2] * 8 + 4], in: palette)
      nearest[cube] = chosen
      let (x, y) = (place % width, place / width)
      for (right, down, share) in [(1, 0, 7), (-1, 1, 3), (0, 1, 5), (1, 1, 1)] {
        let other = (y + down) * width + x + right
        guard (0..<width).contains(x + right), other < pixels.count else { continue }
        for axis in 0..<3 { errors[other][axis] += share * (wanted[axis] - chosen[axis]) }
      }
      return chosen
    }
  }

  private static func nearest(to color: Color, in palette: [Color]) -> Color {
    func distance(_ other: Color) -> Int {
      let (red, green, blue) = (color[0] - other[0], color[1] - other[1], color[2] - other[2])
      return 3 * red * red + 4 * green * green + 2 * blue * blue
    }
    return palette.min { distance($0) < distance($1) } ?? color
  }
}
