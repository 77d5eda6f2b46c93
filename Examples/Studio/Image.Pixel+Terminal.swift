package import StreamImages

extension Image.Pixel {
  /// How a terminal is told this colour. What is transparent lies on black.
  package func code(_ colors: Terminal.Colors) -> String {
    let shown = [red, green, blue].map { Int($0) * Int(alpha) / 255 }
    switch colors {
    case .all: return "2;\(shown[0]);\(shown[1]);\(shown[2])"
    case .palette: return "5;\(Self.paletteIndex(shown))"
    }
  }

  /// The nearest of a cube of 6 × 6 × 6 colours, from 16 on, and of 24 greys, from 232 on.
  private static func paletteIndex(_ color: [Int]) -> Int {
    let steps = color.map { $0 < 48 ? 0 : $0 < 115 ? 1 : ($0 - 35) / 40 }
    let cube = steps.map { $0 == 0 ? 0 : 55 + 40 * $0 }
    let greyStep = min(max((color.reduce(0, +) / 3 - 3) / 10, 0), 23)
    let grey = Array(repeating: 8 + 10 * greyStep, count: 3)
    return distance(grey, color) < distance(cube, color)
      ? 232 + greyStep : 16 + 36 * steps[0] + 6 * steps[1] + steps[2]
  }

  private static func distance(_ left: [Int], _ right: [Int]) -> Int {
    zip(left, right).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
  }
}
