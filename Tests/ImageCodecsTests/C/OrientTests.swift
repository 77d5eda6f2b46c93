import CCodecs
import Testing

@Suite("Orientations and their definition")
struct OrientTests {
  /// Less, as much and more than the blocks of 32 pixels that are copied at once, and sides of one pixel.
  private static let sizes = [
    (1, 1), (1, 34), (34, 1), (5, 3), (31, 33), (32, 32), (33, 31), (64, 65), (70, 45),
  ]

  @Test(
    "Each pixel goes to the place that its orientation names, for any number of bytes in a pixel",
    arguments: Array(0...9) as [Int32])
  func model(orientation: Int32) {
    for (width, height) in Self.sizes {
      for size in [1, 2, 3, 4, 6, 8] {
        let source = (0..<width * height * size).map { UInt8(truncatingIfNeeded: $0 * 31 + $0 / 251) }
        var expected = [UInt8](repeating: 0, count: source.count), found = expected
        for y in 0..<height {
          for x in 0..<width {
            let (right, bottom) = (width - 1 - x, height - 1 - y)
            let place =
              switch orientation {
              case 2: y * width + right
              case 3: bottom * width + right
              case 4: bottom * width + x
              case 5: x * height + y
              case 6: x * height + bottom
              case 7: right * height + bottom
              case 8: right * height + y
              default: y * width + x
              }
            for byte in 0..<size { expected[place * size + byte] = source[(y * width + x) * size + byte] }
          }
        }

        codec_orient(source, width, height, size, orientation, &found)

        #expect(found == expected, "\(width)x\(height), \(size) bytes")
      }
    }
  }
}
