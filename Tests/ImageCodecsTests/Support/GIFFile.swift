/// A GIF of 256 shades of gray, written by hand: right or wrong.
struct GIFFile {
  struct Frame {
    var left = 0
    var top = 0
    var width = 2
    var height = 2
    var isInterlaced = false
    var disposal: UInt8 = 0
    /// In hundredths of a second.
    var delay = 0
    var transparent: UInt8?
    /// Colors of its own: a power of two of them.
    var palette: [[UInt8]]?
    /// How many bits the smallest codes have, less one. There are colors for eight.
    var codeSize = 8
    /// The codes between the first "start again" and the end.
    var codes: [Int] = [10, 20, 30, 40]
  }

  var width = 2
  var height = 2
  var beforeFrames: [UInt8] = []
  var frames = [Frame()]

  /// "Start again", whatever number that has.
  static let clear = -1

  /// An extension of an application that says how often to repeat.
  static func loop(_ application: String, _ repetitions: Int) -> [UInt8] {
    [0x21, 0xFF, UInt8(application.utf8.count)] + Array(application.utf8) + [3, 1]
      + little(repetitions, count: 2) + [0]
  }

  var bytes: [UInt8] {
    var file = Array("GIF89a".utf8) + little(width, count: 2) + little(height, count: 2) + [0xF7, 0, 0]
    for shade in 0...255 { file += [UInt8](repeating: UInt8(shade), count: 3) }
    file += beforeFrames
    for frame in frames {
      file += [0x21, 0xF9, 4, frame.disposal << 2 | (frame.transparent == nil ? 0 : 1)]
      file += little(frame.delay, count: 2) + [frame.transparent ?? 0, 0, 0x2C]
      file += [frame.left, frame.top, frame.width, frame.height].flatMap { little($0, count: 2) }
      let flags: UInt8 = frame.palette.map { 0x80 | UInt8($0.count.trailingZeroBitCount - 1) } ?? 0
      file += [flags | (frame.isInterlaced ? 0x40 : 0)] + (frame.palette ?? []).flatMap { $0 }
      file += [UInt8(frame.codeSize)]
      file += GIFFile.parts(GIFFile.packed(frame.codes, codeSize: frame.codeSize))
    }
    return file + [0x3B]
  }

  private static func parts(_ bytes: [UInt8]) -> [UInt8] {
    stride(from: 0, to: bytes.count, by: 255).flatMap { start -> [UInt8] in
      let part = bytes[start..<min(start + 255, bytes.count)]
      return [UInt8(part.count)] + part
    } + [0]
  }

  /// Each code in as many bits as the table of those before it asks for: no more than twelve, however many there are.
  private static func packed(_ codes: [Int], codeSize: Int) -> [UInt8] {
    let first = 1 << codeSize
    var bytes: [UInt8] = []
    var bits = 0
    var used = 0
    var length = codeSize + 1
    var known = first + 1
    for code in [clear] + codes + [first + 1] {
      bits |= (code == clear ? first : code) << used
      used += length
      while used >= 8 {
        bytes.append(UInt8(bits & 255))
        bits >>= 8
        used -= 8
      }
      if code == clear {
        length = codeSize + 1
        known = first + 1
      } else if known < 4_096 {
        known += 1
        if known == 1 << length, length < 12 { length += 1 }
      }
    }
    return used > 0 ? bytes + [UInt8(bits & 255)] : bytes
  }
}
