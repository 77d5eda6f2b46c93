import StreamImages
import Studio

/// Shows pictures in the terminal, two pixels to a character, if it has colours.
@MainActor
struct Screen {
  private let terminal = Terminal()

  /// The first picture and its placeholder take a third of the width, those after them all of it.
  func show(_ exhibit: Exhibit, isLarge: Bool) {
    guard let colors = terminal.colors else { return }
    let frame = frame(columns: terminal.columns / (isLarge ? 1 : 3))
    do throws(ImageCodecError) {
      let picture = try exhibit.image.framed(in: frame, exhibit)
      for line in picture.lines(colors) { Console.say(line) }
    } catch {
      Console.complain("cannot show an image: \(error)")
    }
  }

  /// Five to four, and a little lower than the terminal.
  private func frame(columns: Int) -> PixelSize {
    let width = min(max(columns, 10), 160, max(terminal.rows - 4, 6) * 2 * 5 / 4)
    return PixelSize(width: width, height: width * 4 / 5 / 2 * 2)
  }
}

extension Image {
  fileprivate func framed(in frame: PixelSize, _ exhibit: Exhibit) throws(ImageCodecError) -> Image {
    let isFilling = exhibit.mode == .fill
    return try resized(
      to: ResizeTarget(
        width: Double(frame.width), height: Double(frame.height), mode: isFilling ? .fill : .fit,
        crops: isFilling, upscales: exhibit.isPlaceholder))
  }
}
