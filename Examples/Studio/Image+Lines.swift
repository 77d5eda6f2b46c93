package import StreamImages

extension Image {
  /// The picture as lines for a terminal, two rows of pixels to a line.
  package func lines(_ colors: Terminal.Colors) -> [String] {
    stride(from: 0, to: height, by: 2).map { line($0, colors) }
  }

  private func line(_ y: Int, _ colors: Terminal.Colors) -> String {
    var line = ""
    for x in 0..<width {
      guard let upper = pixel(x: x, y: y) else { continue }
      line += "\u{1B}[38;\(upper.code(colors))m"
      line += pixel(x: x, y: y + 1).map { "\u{1B}[48;\($0.code(colors))m" } ?? "\u{1B}[49m"
      line += "▀"
    }
    return line + "\u{1B}[0m"
  }
}
