/// The pixels of a run-length encoded bitmap, one after the other.
struct BitmapRuns {
  struct Pixel {
    var x: Int
    /// From the first row of the file.
    var y: Int
    var number: Int
    /// Some programs round rows up to four pixels.
    var isInside: Bool
  }

  private let bytes: ByteView
  private let width: Int
  private let height: Int
  private let isOfNibbles: Bool
  private let watch: DecodingWatch
  /// Runs since the watch was asked. They may have no pixels, or go on beyond the end of a row.
  private var unwatched = 0
  private var position: Int
  private var x = 0
  private var y = 0
  /// The number of remaining pixels of the run, and the position of the next one in it.
  private var left = 0
  private var place = 0
  private var isLiteral = false
  private var repeated = 0
  private(set) var hasEnded = false
  /// Whether the last pixel of the image is behind.
  var hasAllRows: Bool { left == 0 && (y >= height || y == height - 1 && x >= width) }

  init(
    _ bytes: ByteView, at position: Int, width: Int, height: Int, isOfNibbles: Bool, watch: DecodingWatch
  ) {
    (self.bytes, self.position, self.width, self.height) = (bytes, position, width, height)
    (self.isOfNibbles, self.watch) = (isOfNibbles, watch)
  }

  /// `nil` at the end, and at the end of the file.
  mutating func next() throws(ImageCodecError) -> Pixel? {
    while left == 0 {
      guard !hasEnded, try readRun() else { return nil }
    }
    guard y < height else { throw .corrupt("runs beyond the image") }
    guard let number = number else { return nil }
    if x == 0 { try look() }
    defer {
      x += 1
      place += 1
      left -= 1
      if left == 0, isLiteral { position += (literalLength(place) + 1) / 2 * 2 }
    }
    return Pixel(x: x, y: y, number: number, isInside: x < width)
  }

  private mutating func look() throws(ImageCodecError) {
    unwatched = 0
    try watch.check()
  }

  private var number: Int? {
    let byte = isLiteral ? bytes.byte(position + (isOfNibbles ? place / 2 : place)) : repeated
    return byte.map { isOfNibbles ? (place.isMultiple(of: 2) ? $0 >> 4 : $0 & 15) : $0 }
  }

  private func literalLength(_ count: Int) -> Int { isOfNibbles ? (count + 1) / 2 : count }

  /// Returns false at the end of the file.
  private mutating func readRun() throws(ImageCodecError) -> Bool {
    guard let count = bytes.byte(position), let value = bytes.byte(position + 1) else { return false }
    position += 2
    unwatched += 1
    if unwatched == 256 { try look() }
    place = 0
    isLiteral = false
    switch (count, value) {
    case (0, 0):
      x = 0
      y += 1
    case (0, 1):
      hasEnded = true
    case (0, 2):
      guard let across = bytes.byte(position), let up = bytes.byte(position + 1) else { return false }
      position += 2
      x += across
      y += up
    case (0, _):
      isLiteral = true
      left = value
    default:
      repeated = value
      left = count
    }
    guard y <= height else { throw .corrupt("runs beyond the image") }
    return true
  }
}
