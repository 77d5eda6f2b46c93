import CCodecs
import Testing

/// A file, what is asked of it, and what came of it.
struct TIFFReading {
  var bytes: [UInt8]
  var frame = CodecTIFFFrame()
  var isStrict = true
  var workingBytes: Int64 = 1 << 30
  var patience = Patience(allowed: .max)
  private(set) var status = CodecStatus.done
  private(set) var message = ""
  /// Without what is behind them. Bytes that were not written are 0xEE.
  private(set) var rows: [[UInt8]] = []

  init(_ bytes: [UInt8], _ frame: CodecTIFFFrame) { (self.bytes, self.frame) = (bytes, frame) }

  init(_ file: TIFFFile, _ colors: CodecTIFFColors, alpha: Int? = nil, isWide: Bool = false) {
    bytes = file.bytes
    (frame.width, frame.height) = (UInt32(file.width), UInt32(file.height))
    (frame.colors, frame.samples, frame.bits) = (colors, UInt32(file.samples), UInt32(file.bits))
    (frame.isFloat, frame.isWide) = (file.format == .float, isWide)
    frame.alpha = Int32(alpha ?? -1)
    let isGray = colors == .gray || colors == .invertedGray
    frame.channels = alpha != nil ? 4 : isGray ? 1 : 3
  }

  /// Rows have five bytes more than they need, which must stay as they are.
  mutating func run() {
    let used = Int(frame.width * frame.channels) * (frame.isWide ? 2 : 1)
    var room = [UInt8](repeating: 0xEE, count: (used + 6) * Int(frame.height))
    var text = [CChar](repeating: 1, count: Int(CodecMessageCapacity))
    var frame = frame
    let (bytes, isStrict, workingBytes) = (bytes, isStrict, workingBytes)
    status = room.withUnsafeMutableBufferPointer { room in
      withUnsafeMutablePointer(to: &patience) { context in
        var options = CodecReadOptions()
        (options.isStrict, options.maximumWorkingBytes) = (isStrict, workingBytes)
        (options.shouldContinue, options.context) = (Patience.ask, UnsafeMutableRawPointer(context))
        (frame.pixels, frame.bytesPerRow) = (room.baseAddress, used + 6)
        return codec_tiff_read(bytes, bytes.count, &options, &frame, &text)
      }
    }
    message = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    let all = (0..<Int(frame.height)).map { room[$0 * (used + 6)..<($0 + 1) * (used + 6)] }
    #expect(all.allSatisfy { $0.suffix(6).allSatisfy { $0 == 0xEE } })
    rows = all.map { Array($0.prefix(used)) }
  }

  func ran() -> TIFFReading {
    var reading = self
    reading.run()
    return reading
  }
}

/// A TIFF of one block of bytes and of entries with one number each.
struct SmallTIFF {
  var entries: [Int: Int]
  var block: [UInt8]

  /// A gray strip without compression.
  init(width: Int, height: Int, block: [UInt8]) {
    self.block = block
    entries = [
      256: width, 257: height, 258: 8, 259: 1, 262: 1, 273: 8, 277: 1, 278: height, 279: block.count,
    ]
  }

  var bytes: [UInt8] {
    let padded = block + (block.count % 2 == 1 ? [0] : [])
    var file = Array("II*\0".utf8) + little(8 + padded.count, count: 4) + padded
    file += little(entries.count, count: 2)
    for (tag, value) in entries.sorted(by: { $0.key < $1.key }) {
      file += little((tag, 2), (4, 2), (1, 4), (value, 4))
    }
    return file + little(0, count: 4)
  }

  /// As the entries say.
  func reading(_ colors: CodecTIFFColors, channels: Int = 1) -> TIFFReading {
    var frame = CodecTIFFFrame()
    (frame.width, frame.height) = (UInt32(entries[256] ?? 0), UInt32(entries[257] ?? 0))
    (frame.colors, frame.samples, frame.bits) = (colors, UInt32(entries[277] ?? 0), UInt32(entries[258] ?? 0))
    (frame.alpha, frame.channels) = (channels == 4 ? 3 : -1, UInt32(channels))
    return TIFFReading(bytes, frame)
  }
}
