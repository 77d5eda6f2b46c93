import ImageCodecs
import Testing

@Suite("Frames of a GIF and their definition")
struct GIFModelTests {
  private static func frame(_ random: inout SeededRandom) -> GIFFile.Frame {
    var frame = GIFFile.Frame()
    // Some frames stick out of the canvas, and some are beside it.
    (frame.left, frame.top) = (random.below(9), random.below(7))
    (frame.width, frame.height) = (1 + random.below(9), 1 + random.below(17))
    frame.isInterlaced = random.below(2) == 0
    frame.disposal = UInt8(random.below(4))
    frame.delay = [0, 1, 2, 7, 300][random.below(5)]
    frame.transparent = random.below(2) == 0 ? 5 : nil
    if random.below(2) == 0 {
      let count = 2 << random.below(4)
      frame.palette = (0..<count).map { _ in (0..<3).map { _ in random.byte() } }
    }
    frame.codes = (0..<frame.width * frame.height).map { _ in random.below(9) }
    return frame
  }

  /// The canvas, as RGBA.
  private struct Canvas {
    static let (width, height) = (8, 6)
    var pixels = [[UInt8]](repeating: [0, 0, 0, 0], count: width * height)

    func place(_ frame: GIFFile.Frame, _ x: Int, _ y: Int) -> Int? {
      let (column, row) = (frame.left + x, frame.top + y)
      return column < Canvas.width && row < Canvas.height ? row * Canvas.width + column : nil
    }

    /// Rows in the order of the file.
    func rows(_ frame: GIFFile.Frame) -> [Int] {
      guard frame.isInterlaced else { return Array(0..<frame.height) }
      let all = Array(0..<frame.height)
      return all.filter { $0 % 8 == 0 } + all.filter { $0 % 8 == 4 } + all.filter { $0 % 4 == 2 }
        + all.filter { $0 % 2 == 1 }
    }

    mutating func draw(_ frame: GIFFile.Frame) {
      let palette = frame.palette ?? (0...255).map { [UInt8($0), UInt8($0), UInt8($0)] }
      for (index, y) in rows(frame).enumerated() {
        for x in 0..<frame.width {
          let number = frame.codes[index * frame.width + x]
          guard let place = place(frame, x, y), number < palette.count,
            number != frame.transparent.map({ Int($0) })
          else { continue }
          pixels[place] = palette[number] + [255]
        }
      }
    }

    mutating func clear(_ frame: GIFFile.Frame) {
      for y in 0..<frame.height {
        for x in 0..<frame.width { if let place = place(frame, x, y) { pixels[place] = [0, 0, 0, 0] } }
      }
    }
  }

  @Test(
    "Frames are drawn, disposed of and timed as the format says, whatever comes before them",
    arguments: 1...40)
  func model(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    var file = GIFFile(width: Canvas.width, height: Canvas.height)
    // A canvas is as large as its first frame at least.
    let first = GIFFile.Frame(width: Canvas.width, height: Canvas.height, disposal: 2, codes: Array(0..<48))
    file.frames = [first] + (0..<9).map { _ in Self.frame(&random) }
    let reader = try AnimationReader(file.bytes)
    var canvas = Canvas(), before = canvas, last: GIFFile.Frame?

    for (number, frame) in file.frames.enumerated() {
      let found = try #require(try reader.next())

      if let last, last.disposal == 2 { canvas.clear(last) }
      if let last, last.disposal == 3 { canvas = before }
      before = canvas
      canvas.draw(frame)
      last = frame
      let expected: [UInt8] = canvas.pixels.flatMap { $0 }
      let size = found.image.pixelFormat.bytesPerPixel
      let bytes = found.image.bytes
      let pixels = (0..<48).flatMap { place -> [UInt8] in
        Array(bytes[place * size..<place * size + size]) + (size == 4 ? [] : [255])
      }
      #expect(pixels == expected, "frame \(number)")
      #expect(found.duration == .milliseconds(frame.delay < 2 ? 100 : frame.delay * 10), "frame \(number)")
    }
    #expect(try reader.next() == nil)
  }
}
