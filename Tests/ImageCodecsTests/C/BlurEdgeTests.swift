import CCodecs
import Foundation
import Testing

@Suite("Blurring, where the last bit counts")
struct BlurEdgeTests {
  private static func blurred(
    _ source: [UInt8], _ width: Int, _ height: Int, _ channels: Int, _ deviation: Float
  ) -> [UInt8] {
    var blur = CodecBlur(
      width: width, height: height, channels: channels, deviation: deviation, inLight: false)
    var found = [UInt8](repeating: 9, count: source.count)
    #expect(codec_blur(&blur, source, &found, { _ in true }, nil) == .done)
    return found
  }

  /// One pixel of green among transparent ones. Alpha has 16 bits inside, of which the lowest shows as a color: each pixel with
  /// any alpha is green. Colors are divided by an alpha that is rounded; along rows, so are they.
  @Test(
    "A color reaches as far as the curve has a half of 1/65,535, and no other color appears",
    arguments: [Float(0.5), 1, 1.5, 1.9], [false, true])
  func reach(deviation: Float, isUpright: Bool) {
    var source = [UInt8](repeating: 0, count: 21 * 4)
    source.replaceSubrange(40..<44, with: [0, 255, 0, 255])

    let found = Self.blurred(source, isUpright ? 1 : 21, isUpright ? 21 : 1, 4, deviation)

    let weights = (-8...8).map { exp(-Double($0 * $0) / Double(2 * deviation * deviation)) }
    for place in 0..<21 {
      let steps = abs(place - 10), total = weights.reduce(0, +)
      let alpha = steps > 8 ? 0 : 65_535 * weights[steps + 8] / total
      let rounded = (alpha + 0.5).rounded(.down), light = isUpright ? alpha : rounded
      let green = rounded > 0 ? min((light / rounded * 65_535).rounded(), 65_535) / 257 : 0
      #expect(
        Array(found[place * 4..<place * 4 + 3]) == [0, UInt8(green.rounded()), 0], "\(place): \(alpha)")
      #expect(found[place * 4 + 3] == UInt8((alpha / 257).rounded()))
    }
  }

  @Test("No color appears beside the one that is spread by boxes", arguments: [Float(2), 2.5, 4])
  func boxes(deviation: Float) {
    var source = [UInt8](repeating: 0, count: 41 * 17 * 4)
    source.replaceSubrange((8 * 41 + 20) * 4..<(8 * 41 + 21) * 4, with: [0, 255, 0, 255])

    let found = Self.blurred(source, 41, 17, 4, deviation)

    for place in 0..<41 * 17 {
      #expect(found[place * 4] == 0 && found[place * 4 + 2] == 0, "\(place)")
    }
    #expect(found[(8 * 41 + 20) * 4 + 1] == 255 && found[(8 * 41 + 20) * 4 + 3] > 0)
  }

  @Test("The work of a blur is half of its image in 16 bits, and twice sixteen lines of its longer side")
  func work() {
    for (width, height, channels) in [(1, 1, 1), (7, 5, 3), (5, 7, 3), (9, 9, 4), (40, 3, 1)] {
      var blur = CodecBlur(width: width, height: height, channels: channels, deviation: 1, inLight: false)

      let expected = width * height * channels * 2 + 2 * max(width, height) * 16 * channels * 4

      #expect(codec_blur_work(&blur) == expected)
    }
  }

  @Test(
    "A blur asks before each sixteen lines whether it is to go on, and stops when it is not",
    arguments: [(1, 1, 2), (16, 16, 2), (17, 16, 3), (16, 33, 4), (50, 20, 6)])
  func stops(width: Int, height: Int, questions: Int) {
    let source = [UInt8](repeating: 100, count: width * height)
    for allowed in 0...questions {
      var blur = CodecBlur(width: width, height: height, channels: 1, deviation: 3, inLight: false)
      var found = source, patience = Patience(allowed: allowed)

      let status = codec_blur(&blur, source, &found, Patience.ask, &patience)

      #expect(
        status == (allowed < questions ? .stopped : .done) && patience.asked == min(allowed + 1, questions))
    }
  }
}
