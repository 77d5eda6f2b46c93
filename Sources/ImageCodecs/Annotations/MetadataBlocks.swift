import CCodecs

/// Finds the metadata in files of each format.
struct MetadataBlocks {
  private let maximumBytes: Int
  /// The bytes that may still be copied or decompressed: many parts may contain the same, or nothing but zeros.
  private var room: Int
  private(set) var metadata = ImageMetadata()

  /// The PNG standard allows 79 bytes.
  private static let longestKeyword = 79

  /// Parts of a file that are looked at. Files have fewer.
  private static let maximumParts = 20_000

  init(maximumBytes: Int) {
    self.maximumBytes = max(0, min(maximumBytes, 1 << 30))
    room = self.maximumBytes * 4
  }

  // MARK: JPEG

  mutating func readJPEG(_ file: ByteView) {
    var position = 2
    var resources: [UInt8] = []
    for _ in 0..<Self.maximumParts {
      guard let segment = try? JPEGSegment(file, at: position) else { break }
      position = segment.end
      let payload = segment.payload
      switch segment.marker {
      case 0xE1 where payload.holds("Exif\0\0", at: 0): setExif(payload)
      case 0xE1 where payload.holds(XMPPacket.segmentName, at: 0):
        setXMP(payload, from: XMPPacket.segmentName.utf8CodeUnitCount)
      case 0xED where payload.holds(PhotoshopResources.name, at: 0):
        let start = PhotoshopResources.name.utf8CodeUnitCount
        // Resources continue in the next segment.
        if let part = payload.rest(from: start), resources.count + part.count <= maximumBytes {
          resources += part.array
        }
      default: break
      }
    }
    setIPTC(PhotoshopResources.iptc(in:), in: resources)
    if let profile = try? JPEGHeader(file).profile(maximumBytes: maximumBytes) { setProfile(profile) }
  }

  // MARK: PNG

  mutating func readPNG(_ file: ByteView) {
    var position = 8
    for _ in 0..<Self.maximumParts {
      guard let chunk = PNGChunk(file, at: position) else { return }
      position = chunk.end
      switch chunk.type {
      case "eXIf" where chunk.isIntact: setExif(chunk.payload)
      case "iCCP" where chunk.isIntact:
        if let start = chunk.payload.end(ofTextAt: 0), let profile = inflated(chunk.payload, from: start + 1)
        {
          setProfile(profile)
        }
      case "tEXt", "zTXt", "iTXt":
        if chunk.isIntact, let (keyword, text) = text(chunk) { setText(keyword, text) }
      default: break
      }
    }
  }

  /// The keyword and the text of a chunk.
  private mutating func text(_ chunk: PNGChunk) -> (keyword: String, text: [UInt8])? {
    let payload = chunk.payload
    guard let start = payload.end(ofTextAt: 0), start - 1 <= Self.longestKeyword,
      let name = payload.slice(0, count: start - 1)
    else { return nil }
    let keyword = String(latinOrUTF8: name.array)
    switch chunk.type {
    case "tEXt": return payload.rest(from: start).map { (keyword, $0.array) }
    case "zTXt": return inflated(payload, from: start + 1).map { (keyword, $0) }
    default:
      // Whether it is compressed, the method, the language, and the translated keyword.
      guard let isCompressed = payload.byte(start), let second = payload.end(ofTextAt: start + 2),
        let third = payload.end(ofTextAt: second)
      else { return nil }
      if isCompressed == 1 { return inflated(payload, from: third).map { (keyword, $0) } }
      return payload.rest(from: third).map { (keyword, $0.array) }
    }
  }

  private mutating func setText(_ keyword: String, _ text: [UInt8]) {
    guard text.count <= min(maximumBytes, room) else { return }
    room -= text.count
    switch keyword {
    case "XML:com.adobe.xmp": if metadata.xmp == nil { metadata.xmp = XMPData(bytes: text) }
    // What ImageMagick writes: a name, a length, and hexadecimal digits.
    case "Raw profile type exif", "Raw profile type APP1", "Raw profile type iptc", "Raw profile type xmp":
      guard let content = RawProfile.content(text) else { return }
      let isSegment = content.starts(with: XMPPacket.segmentName.bytes)
      if isSegment || keyword.hasSuffix("xmp") {
        let start = isSegment ? XMPPacket.segmentName.utf8CodeUnitCount : 0
        if metadata.xmp == nil { metadata.xmp = XMPData(bytes: content.dropFirst(start)) }
      } else if keyword.hasSuffix("iptc") {
        setIPTC({ PhotoshopResources.iptc(in: $0) ?? IPTCData(bytes: $0.array) }, in: content)
      } else if metadata.exif == nil {
        metadata.exif = ExifData(bytes: content)
      }
    default:
      guard metadata.texts.count < 100, metadata.texts[keyword] == nil else { return }
      metadata.texts[keyword] = String(latinOrUTF8: text)
    }
  }

  // MARK: WebP, TIFF, AVIF and HEIC

  mutating func readWebP(_ file: ByteView) {
    var position = 12
    for _ in 0..<Self.maximumParts {
      guard let chunk = WebPChunk(file, at: position, end: file.count) else { return }
      position = chunk.end
      switch chunk.type {
      case "EXIF": setExif(chunk.payload)
      case "XMP ": setXMP(chunk.payload, from: 0)
      case "ICCP": if chunk.payload.count <= maximumBytes { setProfile(chunk.payload.array) }
      default: break
      }
    }
  }

  mutating func readTIFF(_ file: ByteView) {
    metadata.exif = ExifData(tiff: file)
    guard let reader = TIFFReader(file), let fields = try? reader.wholeDirectory() else { return }
    for field in fields where [700, 33_723, 34_377, 34_675].contains(field.tag) {
      guard let content = reader.stored(field), content.count <= maximumBytes else { continue }
      switch field.tag {
      case 700: setXMP(content, from: 0)
      case 33_723: if let iptc = IPTCData(bytes: content.array) { metadata.iptc = iptc }
      case 34_377: setIPTC(PhotoshopResources.iptc(in:), in: content.array)
      default: setProfile(content.array)
      }
    }
  }

  mutating func readBoxes(_ file: ByteView) {
    guard let items = try? BoxesItems(file), let locations = try? ItemLocations(items, file: file) else {
      return
    }
    for item in items.list {
      guard let kind = item.metadataKind, let content = content(locations.extents[item.number] ?? []) else {
        continue
      }
      content.withUnsafeBytes { buffer in
        let bytes = ByteView(buffer)
        switch kind {
        case .exif: setExif(behindPlaceIn: bytes)
        case .xmp: setXMP(bytes, from: 0)
        }
      }
    }
    let header = try? BoxesHeader(items, image: items.main, format: .avif)
    if let profile = header?.profile(maximumBytes: maximumBytes) { setProfile(profile) }
  }

  mutating func readJPEGXL(_ file: ByteView) {
    guard file.slice(0, count: 12)?.array == JPEGXLFile.containerSignature else { return }
    for box in Box.list(file) where box.isComplete {
      switch box.type {
      case "Exif": setExif(behindPlaceIn: box.payload)
      case "xml ": setXMP(box.payload, from: 0)
      case "brob" where box.payload.holds("Exif", at: 0) && metadata.exif == nil:
        decompressed(box)?.withUnsafeBytes { setExif(behindPlaceIn: ByteView($0)) }
      case "brob" where box.payload.holds("xml ", at: 0) && metadata.xmp == nil:
        decompressed(box)?.withUnsafeBytes { setXMP(ByteView($0), from: 0) }
      default: break
      }
    }
  }

  /// The content of a box that is compressed with Brotli, which libjxl decompresses.
  private mutating func decompressed(_ box: Box) -> [UInt8]? {
    #if CODECS_JPEGXL
      let limit = min(maximumBytes, room)
      guard box.payload.count <= limit else { return nil }
      let file = JPEGXLFile.container(Box.bytes("brob", box.payload.array) + Box.bytes("free", []))
      var limits = DecodingLimits()
      limits.maximumWorkingBytes = Self.brotliMemory
      let watch = DecodingWatch(deadline: limits.deadline, isCancelled: { false })
      var output: UnsafeMutablePointer<UInt8>?
      var count = 0
      defer { codec_free(output) }
      let status = try? watch.reading(isStrict: true, limits: limits) {
        options throws(ImageCodecError) -> CodecStatus in
        codec_jxl_read_box(file, file.count, &options, limit, &output, &count)
      }
      // What is too much or damaged is not tried again and again.
      room -= status == .done ? max(count, box.payload.count) : limit
      return status == .done && count > 0 ? Array(UnsafeBufferPointer(start: output, count: count)) : nil
    #else
      return nil
    #endif
  }

  /// That of the largest window, of 16 MiB, and tables.
  private static let brotliMemory = 64 << 20

  private mutating func content(_ extents: [ItemLocations.Extent]) -> [UInt8]? {
    var content: [UInt8] = []
    for extent in extents.prefix(100) {
      guard extent.isComplete, let bytes = extent.bytes, content.count + bytes.count <= maximumBytes,
        bytes.count <= room
      else { return nil }
      content += bytes.array
      room -= bytes.count
    }
    return content
  }

  // MARK: Blocks

  private mutating func setExif(_ bytes: ByteView) {
    if metadata.exif == nil, bytes.count <= maximumBytes { metadata.exif = ExifData(bytes: bytes.array) }
  }

  /// The first four bytes have the place of the data behind them.
  private mutating func setExif(behindPlaceIn bytes: ByteView) {
    if let skipped = bytes.big(0, count: 4), let data = bytes.rest(from: 4 + skipped) { setExif(data) }
  }

  private mutating func setXMP(_ bytes: ByteView, from start: Int) {
    guard metadata.xmp == nil, bytes.count <= maximumBytes, let content = bytes.rest(from: start) else {
      return
    }
    metadata.xmp = XMPData(bytes: content.array)
  }

  private mutating func setIPTC(_ read: (ByteView) -> IPTCData?, in bytes: [UInt8]) {
    let found = bytes.withUnsafeBytes { read(ByteView($0)) }
    if metadata.iptc == nil { metadata.iptc = found }
  }

  private mutating func setProfile(_ bytes: [UInt8]) {
    if metadata.colorProfile == nil { metadata.colorProfile = ICCProfile(bytes: bytes) }
  }

  /// Decompressed data of zlib; `nil` if it is damaged or too large.
  private mutating func inflated(_ bytes: ByteView, from start: Int) -> [UInt8]? {
    guard let part = bytes.rest(from: start) else { return nil }
    // No data grows by more.
    let capacity = min(maximumBytes, room, part.count * 1_032) + 1
    let (content, status) = part.inflated(capacity: capacity)
    room = max(0, room - max(content.count, part.count))
    return status == .done && content.count < capacity ? content : nil
  }
}

/// Metadata as hexadecimal digits.
enum RawProfile {
  /// - Complexity: O(n) in the length of the text.
  static func content(_ text: [UInt8]) -> [UInt8]? {
    let lines = text.split(separator: UInt8(ascii: "\n"), maxSplits: 2)
    guard lines.count == 3 else { return nil }
    var content: [UInt8] = []
    var high: UInt8?
    for byte in lines[2] where byte > 0x20 {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      if let first = high {
        content.append(first << 4 | UInt8(digit))
        high = nil
      } else {
        high = UInt8(digit)
      }
    }
    return content
  }
}

extension BoxesItems.Item {
  fileprivate enum MetadataKind {
    case exif, xmp
  }

  /// `nil` for images.
  fileprivate var metadataKind: MetadataKind? {
    if type.holds("Exif", at: 0) { return .exif }
    // The name of the item, which may be empty, and then its media type.
    guard type.holds("mime", at: 0), let name = entry.end(ofTextAt: typeOffset + 4),
      entry.holds("application/rdf+xml\0", at: name)
    else { return nil }
    return .xmp
  }
}
