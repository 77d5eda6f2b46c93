/// Decodes the rows of a Windows bitmap.
struct BitmapReader {
  let header: BitmapHeader
  let bytes: ByteView
  /// The offset of the rows.
  let start: Int
  let height: Int
  /// Whether four bytes per pixel are blue, green, red and alpha, as in icons only.
  var hasFourthByte = false
  let job: DecodingJob

  private var width: Int { header.size.width }

  var pixelFormat: Image.PixelFormat { header.hasAlpha || readsFourthByte ? .rgba8 : .rgb8 }

  private var readsFourthByte: Bool {
    hasFourthByte && header.bitsPerPixel == 32 && header.compression == .none
  }

  /// Returns the image, and whether it was complete. An incomplete image is an error if the job is strict.
  func read() throws(ImageCodecError) -> (image: Image, isComplete: Bool) {
    try job.limits.checkFrame(
      PixelSize(width: width, height: height), bytesPerPixel: pixelFormat.bytesPerPixel)
    let profile = header.profile?.array(atMost: job.limits.maximumMetadataBytes)
    var image = try Image(
      width: width, height: height, pixelFormat: pixelFormat,
      colorSpace: .label(
        profile: profile, pixelFormat: pixelFormat, otherwise: header.isSRGB ? .sRGB : .untagged))
    let hasPixels = try header.compression == .runs ? readRuns(into: &image) : readRows(into: &image)
    let isComplete = hasPixels && !header.lacksProfile
    if job.isStrict, !isComplete { throw .truncated }
    return (image, isComplete)
  }

  private func readRows(into image: inout Image) throws(ImageCodecError) -> Bool {
    let palette = colors
    let masks = channels
    for row in 0..<height {
      try job.watch.check()
      // The last row may lack its padding.
      let count = (width * header.bitsPerPixel + 7) / 8
      guard let source = bytes.slice(start + row * header.bytesPerRow, count: count) else { return false }
      let y = header.isTopDown ? row : height - 1 - row
      try image.withUnsafeMutableBytes { pixels throws(ImageCodecError) in
        let bytesPerRow = width * pixelFormat.bytesPerPixel
        let target = UnsafeMutableRawBufferPointer(rebasing: pixels[y * bytesPerRow..<(y + 1) * bytesPerRow])
        source.withBytes { fill(target, from: $0, palette, masks) }
      }
    }
    return true
  }

  private func fill(
    _ target: UnsafeMutableRawBufferPointer, from source: UnsafeRawBufferPointer, _ palette: [[UInt8]],
    _ masks: [BitmapChannel]
  ) {
    let step = pixelFormat.bytesPerPixel
    for x in 0..<width {
      switch header.bitsPerPixel {
      case 1, 4, 8:
        let bits = header.bitsPerPixel
        let position = x * bits
        let number = Int(source[position / 8]) >> (8 - bits - position % 8) & (1 << bits - 1)
        for channel in 0..<3 { target[x * step + channel] = palette[number][channel] }
      case 24:
        for channel in 0..<3 { target[x * step + channel] = source[x * 3 + 2 - channel] }
      default:
        let length = header.bitsPerPixel / 8
        let pixel = (0..<length).reduce(UInt32(0)) {
          $0 | UInt32(source[x * length + $1]) << (8 * UInt32($1))
        }
        for channel in 0..<step { target[x * step + channel] = masks[channel].level(of: pixel) }
      }
    }
  }

  /// The color of each index; black where the file has none.
  private var colors: [[UInt8]] {
    guard header.bitsPerPixel <= 8 else { return [] }
    return (0..<1 << header.bitsPerPixel).map { number in
      let position = header.palette.start + number * header.palette.stride
      guard number < header.palette.count, let entry = bytes.slice(position, count: 3)?.array else {
        return [0, 0, 0]
      }
      return entry.reversed()
    }
  }

  private var channels: [BitmapChannel] {
    switch header.compression {
    case .masks(let masks): masks.map { BitmapChannel(mask: $0) }
    default: [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000].map { BitmapChannel(mask: $0) }
    }
  }

  /// Pixels that no run mentions are black. Returns false if pixels may be missing.
  private func readRuns(into image: inout Image) throws(ImageCodecError) -> Bool {
    let palette = colors
    var runs = BitmapRuns(
      bytes, at: start, width: width, height: height, isOfNibbles: header.bitsPerPixel == 4,
      watch: job.watch)
    while let run = try runs.next() {
      guard run.isInside else { continue }
      let color = palette[run.number]
      let y = header.isTopDown ? run.y : height - 1 - run.y
      let offset = (y * width + run.x) * 3
      try image.withUnsafeMutableBytes { pixels in
        for channel in 0..<3 { pixels[offset + channel] = color[channel] }
      }
    }
    return runs.hasEnded || !job.isStrict && runs.hasAllRows
  }
}

/// A channel of a pixel, scaled to 0…255.
struct BitmapChannel {
  private let mask: UInt32
  private let shift: UInt32
  private let maximum: UInt64

  init(mask: UInt32) {
    self.mask = mask
    shift = mask == 0 ? 0 : UInt32(mask.trailingZeroBitCount)
    maximum = UInt64(mask >> shift)
  }

  func level(of pixel: UInt32) -> UInt8 {
    guard maximum > 0 else { return 0 }
    let value = UInt64((pixel & mask) >> shift)
    return UInt8(min((value * 255 + maximum / 2) / maximum, 255))
  }
}
