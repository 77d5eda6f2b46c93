import StreamImages

/// Shows pictures in the terminal, two pixels to a character, if it has colours.
@MainActor
struct Screen {
  private let terminal = Terminal()

  /// The first picture takes a third of the width, those after it all of it.
  func show(_ exhibit: Exhibit, isLarge: Bool) {
    guard let colors = terminal.colors else { return }
    let frame = frame(columns: terminal.columns / (isLarge ? 1 : 3))
    do throws(ImageCodecError) {
      let picture = try exhibit.image.framed(in: frame, exhibit.mode)
      for y in stride(from: 0, to: picture.height, by: 2) {
        Console.say(line(picture, y, colors))
      }
    } catch {
      Console.complain("cannot show a picture: \(error)")
    }
  }

  /// Five to four, and a little lower than the terminal.
  private func frame(columns: Int) -> PixelSize {
    let width = min(max(columns, 10), 160, max(terminal.rows - 4, 6) * 2 * 5 / 4)
    return PixelSize(width: width, height: width * 4 / 5 / 2 * 2)
  }

  private func line(_ picture: Image, _ y: Int, _ colors: Terminal.Colors) -> String {
    var line = ""
    for x in 0..<picture.width {
      guard let upper = picture.pixel(x: x, y: y) else { continue }
      line += "\u{1B}[38;\(upper.code(colors))m"
      line += picture.pixel(x: x, y: y + 1).map { "\u{1B}[48;\($0.code(colors))m" } ?? "\u{1B}[49m"
      line += "▀"
    }
    return line + "\u{1B}[0m"
  }
}

extension Image {
  fileprivate func framed(in frame: PixelSize, _ mode: ContentMode) throws(ImageCodecError) -> Image {
    let isFilling = mode == .fill
    return try resized(
      to: ResizeTarget(
        width: Double(frame.width), height: Double(frame.height), mode: isFilling ? .fill : .fit,
        crops: isFilling))
  }
}
