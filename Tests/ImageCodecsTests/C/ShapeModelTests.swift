import CCodecs
import Foundation
import Testing

@Suite("Round corners and turns, and their definitions")
struct ShapeModelTests {
  /// Transparent pixels have colors too, and some are nearly transparent.
  private static func pixels(_ count: Int, _ seed: UInt64) -> [UInt8] {
    var random = SeededRandom(seed: seed)
    let alphas: [UInt8] = [0, 1, 2, 100, 255, 255]
    return (0..<count * 4).map { (index: Int) -> UInt8 in
      index % 4 == 3 ? alphas[random.below(6)] : random.byte()
    }
  }

  @Test(
    "Round corners and borders cover the pixels that their distances say",
    arguments: [(1, 1), (2, 5), (7, 12), (12, 7), (8, 8)])
  func corners(width: Int, height: Int) {
    let border: [UInt8] = [250, 100, 3, 200]
    for radius: Float in [0, 0.5, 1, 2.5, 3.5, 40] {
      for borderWidth: Float in [0, 0.5, 1, 2.75, 3, 3.25, 3.5, 3.75, 9] {
        let radius = min(radius, Float(min(width, height)) / 2)
        var rounding = CodecRounding(
          width: width, height: height, radius: radius, borderWidth: borderWidth,
          border: (border[0], border[1], border[2], border[3]))
        var expected = Self.pixels(width * height, 3), found = expected

        codec_round_corners(&found, &rounding)

        for place in 0..<width * height {
          func coverage(_ inset: Double) -> Double {
            let half = (Double(width) / 2 - inset, Double(height) / 2 - inset)
            guard half.0 > 0, half.1 > 0 else { return 0 }
            let radius = max(0, Double(radius) - inset)
            let (column, row) = (Double(place % width) + 0.5, Double(place / width) + 0.5)
            let x: Double = abs(column - Double(width) / 2) - half.0 + radius
            let y: Double = abs(row - Double(height) / 2) - half.1 + radius
            let distance: Double = hypot(max(x, 0), max(y, 0)) + min(max(x, y), 0) - radius
            return min(max(0.5 - distance, 0), 1)
          }
          var pixel = Array(expected[place * 4..<place * 4 + 4])
          let opacity = 1 - coverage(Double(borderWidth))
          if borderWidth > 0, opacity > 0 { codec_blend(&pixel, border, 0, 1, .normal, Float(opacity)) }
          pixel[3] = UInt8(Double(pixel[3]) * coverage(0) + 0.5)
          expected.replaceSubrange(place * 4..<place * 4 + 4, with: pixel)
        }
        #expect(found == expected, "radius \(radius), border \(borderWidth)")
      }
    }
  }

  @Test(
    "A turned pixel is the mean of the four around its place, by their share and alpha",
    arguments: [0, 17, 44, 100, 200.5, -33, 359.0], [(1, 1), (7, 5), (2, 9)])
  func turns(degrees: Double, size: (Int, Int)) {
    let (width, height) = size, source = Self.pixels(width * height, 7)
    var turn = CodecTurn(width: width, height: height, turnedWidth: 0, turnedHeight: 0, degrees: degrees)
    codec_turned_size(&turn)
    let (turnedWidth, turnedHeight) = (turn.turnedWidth, turn.turnedHeight)
    var found = [UInt8](repeating: 9, count: turnedWidth * turnedHeight * 4)

    #expect(codec_turn(&turn, source, &found, { _ in true }, nil) == .done)

    let angle = -degrees * .pi / 180
    for place in 0..<turnedWidth * turnedHeight {
      let right = Double(place % turnedWidth) + 0.5 - Double(turnedWidth) / 2
      let down = Double(place / turnedWidth) + 0.5 - Double(turnedHeight) / 2
      let x: Double = right * cos(angle) - down * sin(angle) + Double(width) / 2 - 0.5
      let y: Double = right * sin(angle) + down * cos(angle) + Double(height) / 2 - 0.5
      var sums = [0.0, 0, 0, 0]
      for index in 0..<width * height {
        let across: Double = max(0, 1 - abs(x - Double(index % width))),
          below: Double = max(0, 1 - abs(y - Double(index / width)))
        let alpha = across * below * Double(source[index * 4 + 3])
        for channel in 0..<3 { sums[channel] += alpha * Double(source[index * 4 + channel]) }
        sums[3] += alpha
      }
      let pixel: [Double] = found[place * 4..<place * 4 + 4].map { Double($0) }
      let alpha = sums[3]
      let expected: [Double] =
        alpha > 0 ? [sums[0] / alpha, sums[1] / alpha, sums[2] / alpha, alpha] : [0, 0, 0, 0]
      #expect(
        zip(pixel, expected).allSatisfy { abs($0 - $1) < 0.500001 }, "\(place): \(pixel), not \(expected)")
    }
  }

  @Test("The box around a turned image is as small as whole pixels allow, also where turns are exact")
  func boxes() {
    let boxes: [(degrees: Double, width: Int, height: Int)] = [
      (0, 7, 4), (90, 4, 7), (180, 7, 4), (270, 4, 7), (-90, 4, 7), (450, 4, 7), (30, 9, 7), (45, 8, 8),
      (60, 7, 9),
      (120, 7, 9), (1, 8, 5),
    ]
    for (degrees, width, height) in boxes {
      var turn = CodecTurn(width: 7, height: 4, turnedWidth: 0, turnedHeight: 0, degrees: degrees)
      codec_turned_size(&turn)
      #expect(turn.turnedWidth == width && turn.turnedHeight == height, "\(degrees)")
    }
  }

  @Test(
    "A turn asks before each row whether it is to go on, and stops when it is not", arguments: [0, 1, 6, 7])
  func stops(allowed: Int) {
    var turn = CodecTurn(width: 3, height: 7, turnedWidth: 3, turnedHeight: 7, degrees: 0)
    let source = Self.pixels(21, 5)
    var found = [UInt8](repeating: 9, count: 84), patience = Patience(allowed: allowed)

    let status = codec_turn(&turn, source, &found, Patience.ask, &patience)

    #expect(status == (allowed < 7 ? .stopped : .done) && patience.asked == min(allowed + 1, 7))
    #expect(found[(allowed * 12)...].allSatisfy { $0 == 9 })
  }
}
