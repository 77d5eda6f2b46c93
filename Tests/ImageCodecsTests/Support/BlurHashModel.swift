import Foundation
import ImageCodecs

/// `BlurHash` as the published description of the format has it, as plain as can be.
enum BlurHashModel {
  static let alphabet = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~")

  static func text(_ number: Int, _ digits: Int) -> String {
    let powers = (0..<digits).reversed().map { (0..<$0).reduce(1) { power, _ in power * 83 } }
    return String(powers.map { alphabet[number / $0 % 83] })
  }

  static func light(_ level: UInt8) -> Double {
    let value = Double(level) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  static func level(_ light: Double) -> Double {
    let value = min(max(light, 0), 1)
    return 255 * (value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055)
  }

  static func wave(_ x: Int, _ y: Int, _ column: Int, _ row: Int, _ width: Int, _ height: Int) -> Double {
    let across = Double.pi * Double(x) * Double(column) / Double(width)
    let down = Double.pi * Double(y) * Double(row) / Double(height)
    return cos(across) * cos(down)
  }

  /// The hash of an image of three channels.
  static func encoded(_ image: Image, _ columns: Int, _ rows: Int) -> String {
    let (width, height, bytes) = (image.width, image.height, image.bytes)
    var amounts: [[Double]] = []
    for y in 0..<rows {
      for x in 0..<columns {
        var sums = [0.0, 0, 0]
        for row in 0..<height {
          for column in 0..<width {
            let factor: Double = x + y == 0 ? 1 : 2
            let wave: Double = wave(x, y, column, row, width, height) * factor
            for channel in 0..<3 {
              sums[channel] += wave * light(bytes[(row * width + column) * 3 + channel])
            }
          }
        }
        amounts.append(sums.map { (sum: Double) -> Double in sum / Double(width * height) })
      }
    }
    let largest = amounts.dropFirst().flatMap { $0 }.map { abs($0) }.max()
    let step = largest.map { max(0, min(82, Int(floor($0 * 166 - 0.5)))) } ?? 0
    let scale = largest == nil ? 1 : Double(step + 1) / 166
    let color = amounts[0].reduce(0) { $0 * 256 + Int(level($1).rounded()) }
    let waves = amounts.dropFirst().map { amount -> String in
      let digits = amount.map { value -> Int in
        let share = value / scale
        return max(0, min(18, Int(floor((share < 0 ? -1 : 1) * sqrt(abs(share)) * 9 + 9.5))))
      }
      return text(digits[0] * 361 + digits[1] * 19 + digits[2], 2)
    }
    return text(columns - 1 + (rows - 1) * 9, 1) + text(step, 1) + text(color, 4) + waves.joined()
  }

  /// Levels of red, green and blue, before they are rounded.
  static func drawn(_ text: String, _ width: Int, _ height: Int, punch: Double) -> [Double] {
    let digits = text.map { alphabet.firstIndex(of: $0) ?? 0 }
    func number(_ start: Int, _ count: Int) -> Int {
      digits[start..<start + count].reduce(0) { $0 * 83 + $1 }
    }
    let (columns, rows) = (digits[0] % 9 + 1, digits[0] / 9 + 1)
    let scale = Double(digits[1] + 1) / 166 * punch
    let color = number(2, 4)
    var amounts = [[color >> 16, color >> 8 & 255, color & 255].map { light(UInt8($0)) }]
    for index in 1..<max(columns * rows, 1) {
      let value = number(4 + index * 2, 2)
      amounts.append(
        [value / 361, value / 19 % 19, value % 19].map { digit in
          let share = (Double(digit) - 9) / 9
          return (share < 0 ? -1 : 1) * share * share * scale
        })
    }
    var result: [Double] = []
    for row in 0..<height {
      for column in 0..<width {
        for channel in 0..<3 {
          let sum = amounts.enumerated().reduce(0.0) { sum, amount in
            sum + amount.element[channel]
              * wave(amount.offset % columns, amount.offset / columns, column, row, width, height)
          }
          result.append(level(sum))
        }
      }
    }
    return result
  }
}
