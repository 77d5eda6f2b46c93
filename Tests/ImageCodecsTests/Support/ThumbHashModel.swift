import Foundation
import ImageCodecs

/// `ThumbHash` as the published description of the format has it, as plain as can be.
enum ThumbHashModel {
  static func positions(_ columns: Int, _ rows: Int) -> [(x: Int, y: Int)] {
    var list: [(x: Int, y: Int)] = []
    for y in 0..<rows {
      for x in 0..<columns where x * rows < columns * (rows - y) && x + y > 0 { list.append((x, y)) }
    }
    return list
  }

  /// The value of a wave at the middle of a pixel.
  static func wave(_ number: Int, _ place: Int, of count: Int) -> Double {
    let middle = Double(place) + 0.5
    return cos(Double.pi * Double(number) * middle / Double(count))
  }

  /// The averages of red, green, blue and alpha become four planes.
  static func encoded(_ image: Image) -> [UInt8] {
    let (width, height) = (image.width, image.height)
    let pixels = image.bytes.map { Double($0) / 255 }
    let step = image.pixelFormat.channelCount
    var (sum, weight) = ([0.0, 0, 0], 0.0)
    func sample(_ index: Int, _ channel: Int) -> Double {
      step == 1 ? pixels[index] : pixels[index * step + channel]
    }
    func alpha(_ index: Int) -> Double { step == 4 ? pixels[index * 4 + 3] : 1 }
    for index in 0..<width * height {
      for channel in 0..<3 { sum[channel] += sample(index, channel) * alpha(index) }
      weight += alpha(index)
    }
    var planes = [[Double]](repeating: [], count: 4)
    for index in 0..<width * height {
      let share = alpha(index)
      let color = (0..<3).map { (channel: Int) -> Double in
        let average = weight > 0 ? sum[channel] / weight : 0
        return average * (1 - share) + sample(index, channel) * share
      }
      planes[0].append((color[0] + color[1] + color[2]) / 3)
      planes[1].append((color[0] + color[1]) / 2 - color[2])
      planes[2].append(color[0] - color[1])
      planes[3].append(alpha(index))
    }
    let hasAlpha = planes[3].contains { $0 < 1 }
    let most = hasAlpha ? 5.0 : 7.0
    func waves(_ side: Int) -> Int {
      let share = Double(side) / Double(max(width, height))
      return max(1, Int((most * share).rounded()))
    }
    let (across, down) = (waves(width), waves(height))
    func channel(_ plane: Int, _ columns: Int, _ rows: Int) -> (average: Double, scale: Double, digits: [Int])
    {
      func amount(_ x: Int, _ y: Int) -> Double {
        var total = 0.0
        for row in 0..<height {
          for column in 0..<width {
            let value: Double = planes[plane][row * width + column]
            total += value * wave(x, column, of: width) * wave(y, row, of: height)
          }
        }
        return total / Double(width * height)
      }
      let amounts = positions(columns, rows).map { amount($0.x, $0.y) }
      let largest = amounts.map(abs).max() ?? 0
      let scale = largest < 1e-9 ? 0 : largest
      return (
        amount(0, 0), scale, amounts.map { scale > 0 ? Int(((0.5 + 0.5 * $0 / scale) * 15).rounded()) : 0 }
      )
    }
    let luma = channel(0, max(3, across), max(3, down))
    let (yellow, red, opacity) = (channel(1, 3, 3), channel(2, 3, 3), channel(3, 5, 5))
    func rounded(_ value: Double) -> Int { Int(value.rounded()) }
    let isWide = width > height
    var bits: [(value: Int, count: Int)] = [
      (rounded(63 * luma.average), 6), (rounded(31.5 + 31.5 * yellow.average), 6),
      (rounded(31.5 + 31.5 * red.average), 6),
      (rounded(31 * luma.scale), 5), (hasAlpha ? 1 : 0, 1), (isWide ? down : across, 3),
      (rounded(63 * yellow.scale), 6),
      (rounded(63 * red.scale), 6), (isWide ? 1 : 0, 1),
    ]
    if hasAlpha { bits += [(rounded(15 * opacity.average), 4), (rounded(15 * opacity.scale), 4)] }
    for digit in luma.digits + yellow.digits + red.digits + (hasAlpha ? opacity.digits : []) {
      bits.append((digit, 4))
    }
    let all = bits.flatMap { field in (0..<field.count).map { field.value >> $0 & 1 } }
    return stride(from: 0, to: all.count, by: 8).map { start in
      all[start..<min(start + 8, all.count)].enumerated().reduce(UInt8(0)) {
        $0 | UInt8($1.element) << UInt8($1.offset)
      }
    }
  }

  /// Rows of red, green, blue and alpha, before they are rounded.
  static func drawn(_ bytes: [UInt8], _ width: Int, _ height: Int) -> [Double] {
    let bits = bytes.flatMap { byte in (0..<8).map { Int(byte >> UInt8($0) & 1) } }
    var place = 0
    func next(_ count: Int) -> Double {
      defer { place += count }
      return Double((0..<count).reduce(0) { $0 | bits[place + $1] << $1 })
    }
    let averages = [next(6) / 63, next(6) / 31.5 - 1, next(6) / 31.5 - 1]
    let lumaScale = next(5) / 31
    let hasAlpha = next(1) == 1
    let shorter = Int(next(3))
    let scales = [lumaScale, next(6) / 63 * 1.25, next(6) / 63 * 1.25]
    let (across, down) = next(1) == 1 ? (hasAlpha ? 5 : 7, shorter) : (shorter, hasAlpha ? 5 : 7)
    let (opacity, opacityScale) = hasAlpha ? (next(4) / 15, next(4) / 15) : (1, 0)
    func waves(_ columns: Int, _ rows: Int, _ scale: Double) -> [(x: Int, y: Int, amount: Double)] {
      positions(columns, rows).map { ($0.x, $0.y, (next(4) / 7.5 - 1) * scale) }
    }
    let channels = [
      waves(max(3, across), max(3, down), scales[0]), waves(3, 3, scales[1]), waves(3, 3, scales[2]),
      hasAlpha ? waves(5, 5, opacityScale) : [],
    ]
    var result: [Double] = []
    for row in 0..<height {
      for column in 0..<width {
        let values = zip(channels, averages + [opacity]).map { waves, average in
          waves.reduce(average) { (sum: Double, wave: (x: Int, y: Int, amount: Double)) -> Double in
            let product: Double = Self.wave(wave.x, column, of: width) * Self.wave(wave.y, row, of: height)
            return sum + wave.amount * 2 * product
          }
        }
        let blue = values[0] - 2.0 / 3 * values[1]
        let red = (3 * values[0] - blue + values[2]) / 2
        result += [red, red - values[2], blue, values[3]].map { min(max($0, 0), 1) * 255 }
      }
    }
    return result
  }
}
