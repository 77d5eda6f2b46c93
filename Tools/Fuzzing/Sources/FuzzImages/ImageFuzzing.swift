import ImageCodecs

/// A format whose decoder is given what the fuzzer writes.
enum ImageFuzzing: String {
  case jpeg
  case png
  case webp
  case gif
  case avif
  case heic
  case jxl
  case bmp
  case ico
  case tiff
  case svg

  /// Decodes one file in one of the ways there are. Traps if the image is not what it says, or beyond the limits.
  func play(_ bytes: UnsafeBufferPointer<UInt8>) {
    var file = Array(bytes)
    let choice = Choice(file)
    sign(&file)
    if self == .png, choice.fixesChecksums { file.correctChecksums() }

    let options = choice.options
    if self == .svg { return draw(file, options) }
    _ = try? ImageDecoder.info(of: file)
    describe(file)
    if self == .jxl { restore(file, options) }
    if choice.readsFrames, let reader = try? AnimationReader(file, options: options) {
      play(reader, options.limits)
    } else if choice.isStrict {
      if let image = try? ImageDecoder.decode(file, options: options) { check(image, options.limits) }
    } else if let available = try? ImageDecoder.decodeAvailable(file, options: options) {
      check(available.image, options.limits)
    }
  }

  /// Reads the frames, and writes those of a GIF. Traps if others are read again.
  private func play(_ reader: AnimationReader, _ limits: DecodingLimits) {
    var writer = try? AnimationWriter(as: .gif)
    var count = 0
    while let frame = try? reader.next() {
      check(frame.image, limits)
      if self == .gif, (try? writer?.append(frame)) != nil { count += 1 }
    }
    guard count > 0, let file = try? writer?.finish() else { return }
    guard let again = try? AnimationReader(file) else { preconditionFailure("a GIF that cannot be read") }
    while let frame = try? again.next() {
      check(frame.image, .default)
      count -= 1
    }
    precondition(count == 0)
  }

  /// Reads the metadata, writes it, and reads that. Traps if a position is left, or the image is turned.
  private func describe(_ file: [UInt8]) {
    guard let found = try? ImageMetadata(of: file), !found.isEmpty else { return }
    _ = (found.taken, found.digitized, found.modified, found.exposure, found.exif?.userComment)
    let image = try? Image(width: 1, height: 1, pixelFormat: .rgb8)
    guard let image, let copy = try? ImageEncoder.encode(image, as: .png, keeping: .all, of: found) else {
      return
    }
    guard let kept = try? ImageMetadata(of: copy) else {
      preconditionFailure("metadata that cannot be read again")
    }
    precondition(kept.location == nil && kept.orientation == .up)
    let exifAddress = "http://ns.adobe.com/exif/1.0/"
    precondition(kept.xmp?.values(exifAddress, "GPSLatitude").isEmpty ?? true)
  }

  /// Traps if the JPEG that a file was made of is beyond the limits.
  private func restore(_ file: [UInt8], _ options: DecodingOptions) {
    guard let jpeg = try? ImageDecoder.originalJPEG(of: file, limits: options.limits) else { return }
    precondition(jpeg.count <= options.limits.maximumEncodedBytes)
  }

  private func draw(_ file: [UInt8], _ options: DecodingOptions) {
    guard var renderer = try? SVGRenderer() else { preconditionFailure("librsvg is not there") }
    renderer.isolation = .none
    renderer.maximumElements = 200
    renderer.maximumPaintedPixels = 4_000_000
    if let image = try? file.withUnsafeBytes({ try renderer.image(of: $0, options: options) }) {
      check(image, options.limits)
    }
  }

  private func check(_ image: Image, _ limits: DecodingLimits) {
    precondition(image.width * image.height <= limits.maximumPixels)
    precondition(image.byteCount == image.bytesPerRow * image.height)
    _ = image.pixel(x: image.width - 1, y: image.height - 1)
    if let gainMap = image.gainMap { light(image, gainMap, limits) }
  }

  private func light(_ image: Image, _ gainMap: GainMap, _ limits: DecodingLimits) {
    precondition(gainMap.image.width <= image.width && gainMap.image.height <= image.height)
    precondition(image.byteCount + gainMap.image.byteCount <= limits.maximumDecodedBytes)
    guard let bright = try? image.highDynamicRange() else {
      preconditionFailure("a gain map that cannot be applied")
    }
    precondition(bright.samples.allSatisfy { $0.isFinite })
    _ = try? ImageEncoder.encode(image.cropped(x: 1, y: 1, width: 3, height: 2), as: .jpeg())
  }

  /// The first bytes of the format, whatever the fuzzer wrote there: most of its input would be no image else.
  private func sign(_ file: inout [UInt8]) {
    // Compressed documents, and those in UTF-16.
    if self == .svg, [[0x1F, 0x8B], [0xFE, 0xFF], [0xFF, 0xFE]].contains(where: { file.starts(with: $0) }) {
      return
    }
    // A container of boxes.
    if self == .jxl, file.starts(with: [0, 0, 0, 12]) { return }
    for (offset, byte) in signature where offset < file.count { file[offset] = byte }
  }

  private var signature: [(Int, UInt8)] {
    let all: [UInt8]
    switch self {
    case .jpeg: all = [0xFF, 0xD8, 0xFF]
    case .png: all = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    case .gif: all = Array("GIF89a".utf8)
    case .bmp: all = Array("BM".utf8)
    case .ico: all = [0, 0, 1, 0]
    case .jxl: all = [0xFF, 0x0A]
    case .tiff: all = [0x49, 0x49, 0x2A, 0]
    case .svg: all = Array("<svg ".utf8)
    case .webp:
      return Array(zip(0..., "RIFF".utf8)) + Array(zip(8..., "WEBP".utf8))
    case .avif: return Array(zip(4..., "ftypavif".utf8))
    case .heic: return Array(zip(4..., "ftypheic".utf8))
    }
    return Array(zip(0..., all))
  }
}

/// How a file is decoded: a matter of its bytes, so that a finding can be played again.
private struct Choice {
  private let bits: UInt64

  init(_ file: [UInt8]) {
    bits = file.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } >> 20
  }

  var isStrict: Bool { bits & 1 == 0 }
  var readsFrames: Bool { bits & 6 == 0 }
  var fixesChecksums: Bool { bits & 24 != 0 }

  var options: DecodingOptions {
    var options = DecodingOptions()
    options.limits.maximumPixels = 40_000
    options.limits.maximumDecodedBytes = 1 << 20
    options.limits.maximumWorkingBytes = 4 << 20
    options.limits.maximumScans = 16
    options.limits.maximumFrames = 6
    options.limits.maximumWarnings = 50
    options.limits.deadline = .seconds(2)
    if bits & 32 == 0 { options.target = ResizeTarget(width: 9, height: 7, crops: bits & 64 == 0) }
    if bits & 128 == 0 { options.colors = .asStored }
    options.keepsDepth = bits & 256 == 0
    options.limits.oversize = bits & 512 == 0 ? .downscale : .fail
    options.usesEmbeddedThumbnail = bits & 1024 == 0
    options.keepsGainMap = bits >> 13 & 1 == 0
    options.limits.incomplete = DecodingLimits.Incomplete.allCases[Int((bits >> 11) % 3)]
    return options
  }
}

extension [UInt8] {
  /// Those of a PNG's chunks, so that changes are not all found out by them.
  fileprivate mutating func correctChecksums() {
    var position = 8
    while position + 12 <= count {
      let length = self[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      guard position + 12 + length <= count else { return }
      var sum: UInt32 = ~0
      for byte in self[position + 4..<position + 8 + length] {
        sum ^= UInt32(byte)
        for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
      }
      for index in 0..<4 {
        self[position + 8 + length + index] = UInt8(truncatingIfNeeded: ~sum >> (24 - 8 * UInt32(index)))
      }
      position += 12 + length
    }
  }
}
