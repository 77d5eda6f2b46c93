import ImageCodecs

/// An animated PNG of red, green, blue and alpha, written chunk by chunk: right or wrong.
struct APNGFile {
  struct Frame {
    var x = 0
    var y = 0
    var width = 2
    var height = 2
    var delay = (7, 100)
    var disposal: UInt8 = 0
    var blending: UInt8 = 0
    /// One color for all pixels.
    var color: [UInt8] = [1, 2, 3, 255]
    var hasData = true
    var headerError: UInt32 = 0
    var dataError: UInt32 = 0
  }

  var width = 4
  var height = 3
  var frames: [Frame]
  /// What is announced; `nil` for the number of frames.
  var count: Int?
  var plays = 0
  /// Whether the first frame is the image that other decoders show.
  var startsWithImage = true
  /// What is added to the sequence number at this position.
  var gap: Int?
  var hasEnd = true

  var bytes: [UInt8] {
    var file = PNGFile(width: width, height: height, color: 6)
    file.append("acTL", big(count ?? frames.count, count: 4) + big(plays, count: 4))
    if !startsWithImage { file.append(rows: rows(Frame(width: width, height: height, color: [9, 9, 9, 9]))) }
    var sequence = 0
    func next() -> [UInt8] {
      defer { sequence += 1 }
      return big(sequence == gap ? sequence + 1 : sequence, count: 4)
    }
    for (index, frame) in frames.enumerated() {
      let numbers = [frame.width, frame.height, frame.x, frame.y].flatMap { big($0, count: 4) }
      let delay = big(frame.delay.0, count: 2) + big(frame.delay.1, count: 2)
      file.append(
        "fcTL", next() + numbers + delay + [frame.disposal, frame.blending], crcError: frame.headerError)
      guard frame.hasData else { continue }
      let data = Deflate.stored(rows(frame).flatMap { [0] + $0 })
      if index == 0, startsWithImage {
        file.append("IDAT", data, crcError: frame.dataError)
      } else {
        let middle = data.count / 2
        file.append("fdAT", next() + data[..<middle])
        file.append("fdAT", next() + data[middle...], crcError: frame.dataError)
      }
    }
    if hasEnd { file.end() }
    return file.bytes
  }

  private func rows(_ frame: Frame) -> [[UInt8]] {
    [[UInt8]](repeating: (0..<frame.width).flatMap { _ in frame.color }, count: frame.height)
  }

  /// Three frames, one of each way to be disposed of.
  static func sample() -> APNGFile {
    APNGFile(
      frames: [
        Frame(width: 4, height: 3, disposal: 0),
        Frame(x: 1, y: 1, disposal: 2, blending: 1, color: [200, 0, 0, 128]),
        Frame(x: 2, y: 0, delay: (1, 0), disposal: 1, color: [0, 200, 0, 255]),
        Frame(x: 0, y: 1, delay: (3, 0), blending: 1, color: [0, 0, 200, 60]),
      ], plays: 2)
  }
}
