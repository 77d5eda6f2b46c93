/// A JPEG XL of 64 × 64 pixels up to the end of the header of its frame, put together bit by bit.
struct JPEGXLHeader {
  var extraFields: ((inout JPEGXLStream) -> Void)?
  var channels: [(inout JPEGXLStream) -> Void] = []
  var isLossy = true
  /// Each a number, and its count of bits. None for the defaults.
  var colors: [(Int, Int)] = []
  /// All defaults of the luminance, if there are extra fields.
  var tones = 1
  var extensions = 0
  var transform = 1
  var frame = JPEGXLFrame()
  /// Another depth than eight bits.
  var depth: [(Int, Int)]?

  var bytes: [UInt8] {
    var stream = JPEGXLStream()
    stream.writeSize(64, 64)
    stream.write(0, 1)
    stream.write(extraFields == nil ? 0 : 1, 1)
    extraFields?(&stream)
    for (value, count) in depth ?? [(0, 1), (0, 2)] { stream.write(value, count) }
    stream.write(1, 1)
    stream.write(channels.isEmpty ? 0 : channels.count == 1 ? 1 : 2, 2)
    if channels.count > 1 { stream.write(channels.count - 2, 4) }
    for channel in channels { channel(&stream) }
    stream.write(isLossy ? 1 : 0, 1)
    stream.write(colors.isEmpty ? 1 : 0, 1)
    for (value, count) in colors { stream.write(value, count) }
    if extraFields != nil { stream.write(tones, 1) }
    stream.write(extensions, 2)
    stream.write(transform, 1)
    return frame.append(to: stream, isLossy: isLossy)
  }
}

struct JPEGXLFrame {
  var isDefault = 0
  var type = 0
  var encoding = 0
  var flags: [(Int, Int)] = [(0, 2)]
  var isYCbCr = 0
  var upsampling = 0
  var passes: [(Int, Int)] = [(0, 2)]
  var isPart = 0
  var blending = 0
  var isLast = 1

  /// Behind the byte in which the stream ends. What is skipped has ones, so that a reader at a wrong place finds other numbers.
  func append(to stream: JPEGXLStream, isLossy: Bool) -> [UInt8] {
    var frame = JPEGXLStream()
    frame.write(isDefault, 1)
    if isDefault == 0 {
      frame.write(type, 2)
      frame.write(encoding, 1)
      for (value, count) in flags { frame.write(value, count) }
      if !isLossy { frame.write(isYCbCr, 1) }
      if !isLossy, isYCbCr == 1 { frame.write(0x3F, 6) }
      frame.write(upsampling, 2)
      if isLossy { frame.write(0x3F, 6) }
      for (value, count) in passes { frame.write(value, count) }
      frame.write(isPart, 1)
      frame.write(blending, 2)
      frame.write(isLast, 1)
    }
    return stream.bytes + frame.bytes.dropFirst(2)
  }
}
