/// The header of a JPEG XL file, with or without a container of boxes.
struct JPEGXLHeader {
  let size: PixelSize
  private(set) var orientation = ImageOrientation.up
  private(set) var bits = 8
  private(set) var isGray = false
  private(set) var hasAlpha = false
  private(set) var isAnimated = false
  /// How many times the animation plays; `nil` for ever.
  private(set) var plays: Int?
  /// Whether the file has what is needed to make the JPEG again that it was made of.
  private(set) var holdsJPEG = false
  /// Whether it is lossy. Such files begin with an image of an eighth of the size.
  private(set) var isLossy = true
  /// Whether it is one frame of blocks, as lossy photographs are. libjxl needs a fraction of the memory for it. False if in doubt.
  private(set) var isOneFrameOfBlocks = false
  /// Something that libjxl did not read from the beginning; `nil` if there is nothing of the kind.
  private(set) var newFeature: String?
  /// Whether it is a whole container with boxes whose length has eight bytes, of which libjxl 0.7 expects more.
  private(set) var hasLongBoxes = false
  private var channelCount = 0
  private var isDefault = false
  private var hasPreview = false

  init(_ bytes: ByteView) throws(ImageCodecError) {
    let file = try JPEGXLFile(bytes)
    holdsJPEG = file.holdsJPEG
    hasLongBoxes = file.hasLongBoxes
    if hasLongBoxes { newFeature = "boxes with a length of eight bytes" }
    var bits = BitReader(file.beginning)
    // The signature.
    _ = try bits.read(16)
    size = try Self.size(&bits)
    // All defaults: eight bits, no alpha, lossy.
    if try bits.flag() {
      isDefault = true
      isOneFrameOfBlocks = isOneFrame(bits)
      return
    }
    let hasExtraFields = try bits.flag()
    if hasExtraFields { try readExtraFields(&bits) }
    self.bits = try Self.depth(&bits)
    // Whether buffers of 16 bits are enough.
    _ = try bits.flag()
    channelCount = try bits.choice((0, 0), (1, 0), (2, 4), (1, 12))
    for _ in 0..<channelCount { try readChannel(&bits) }
    isLossy = try bits.flag()
    let hasProfile = try readColors(&bits)
    // Profiles are compressed.
    guard !hasProfile, channelCount == 0, !isAnimated, !hasPreview else { return }
    isOneFrameOfBlocks = isOneFrame(bits, hasTones: hasExtraFields)
  }

  /// Returns whether a profile follows, or something as rare.
  private mutating func readColors(_ bits: inout BitReader) throws(ImageCodecError) -> Bool {
    // All defaults: sRGB.
    if try bits.flag() { return false }
    let hasProfile = try bits.flag()
    let (gray, custom) = (1, 2)
    let space = try Self.enumeration(&bits)
    isGray = space == gray
    guard !hasProfile, space <= gray else { return true }
    // White point, primaries, and transfer function.
    if try Self.enumeration(&bits) == custom { return true }
    if !isGray, try Self.enumeration(&bits) == custom { return true }
    if try bits.flag() { _ = try bits.read(24) } else { _ = try Self.enumeration(&bits) }
    // The rendering intent.
    _ = try Self.enumeration(&bits)
    return false
  }

  // MARK: Sizes

  private static func size(_ bits: inout BitReader) throws(ImageCodecError) -> PixelSize {
    let isSmall = try bits.flag()
    func side(_ bits: inout BitReader) throws(ImageCodecError) -> Int {
      isSmall ? (try bits.read(5) + 1) * 8 : try bits.choice((1, 9), (1, 13), (1, 18), (1, 30))
    }
    let height = try side(&bits)
    let ratio = try bits.read(3)
    guard ratio > 0 else { return PixelSize(width: try side(&bits), height: height) }
    return PixelSize(width: width(of: height, ratio), height: height)
  }

  private static func width(of height: Int, _ ratio: Int) -> Int {
    let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
    let (numerator, denominator) = ratios[ratio - 1]
    return height * numerator / denominator
  }

  private static func skipPreview(_ bits: inout BitReader) throws(ImageCodecError) {
    let isSmall = try bits.flag()
    func side(_ bits: inout BitReader) throws(ImageCodecError) {
      _ =
        isSmall
        ? try bits.choice((16, 0), (32, 0), (1, 5), (33, 9))
        : try bits.choice((1, 6), (65, 8), (321, 10), (1_345, 12))
    }
    try side(&bits)
    if try bits.read(3) == 0 { try side(&bits) }
  }

  // MARK: Fields

  private mutating func readExtraFields(_ bits: inout BitReader) throws(ImageCodecError) {
    orientation = ImageOrientation(rawValue: try bits.read(3) + 1) ?? .up
    // The recommended size.
    if try bits.flag() { _ = try Self.size(&bits) }
    hasPreview = try bits.flag()
    if hasPreview { try Self.skipPreview(&bits) }
    guard try bits.flag() else { return }
    // Ticks per second, as a fraction.
    _ = try bits.choice((100, 0), (1_000, 0), (1, 10), (1, 30))
    _ = try bits.choice((1, 0), (1_001, 0), (1, 8), (1, 10))
    let repeats = try bits.choice((0, 0), (0, 3), (0, 16), (0, 32))
    (isAnimated, plays) = (true, repeats == 0 ? nil : repeats)
    // Whether frames have time codes.
    _ = try bits.flag()
  }

  private static func depth(_ bits: inout BitReader) throws(ImageCodecError) -> Int {
    guard try bits.flag() else { return try bits.choice((8, 0), (10, 0), (12, 0), (1, 6)) }
    let depth = try bits.choice((32, 0), (16, 0), (24, 0), (1, 6))
    // The bits of the exponent.
    _ = try bits.read(4)
    return depth
  }

  private static func enumeration(_ bits: inout BitReader) throws(ImageCodecError) -> Int {
    try bits.choice((0, 0), (1, 0), (2, 4), (18, 6))
  }

  private mutating func readChannel(_ bits: inout BitReader) throws(ImageCodecError) {
    let (alpha, spotColor, black, filter) = (0, 2, 4, 5)
    // All defaults.
    if try bits.flag() {
      hasAlpha = true
      return
    }
    let kind = try Self.enumeration(&bits)
    _ = try Self.depth(&bits)
    // By how much it is reduced.
    _ = try bits.choice((0, 0), (3, 0), (4, 0), (1, 3))
    for _ in 0..<(try bits.choice((0, 0), (0, 4), (16, 5), (48, 10))) { _ = try bits.read(8) }
    switch kind {
    case alpha:
      hasAlpha = true
      // Whether colors are multiplied by it.
      _ = try bits.flag()
    case spotColor: for _ in 0..<4 { _ = try bits.read(16) }
    case black: throw .unsupportedFeature("JPEG XL with inks (CMYK)")
    case filter: _ = try bits.choice((1, 0), (0, 2), (3, 4), (19, 8))
    default: break
    }
  }
}

// MARK: Frames

extension JPEGXLHeader {
  /// Whether the rest of the header is as usual, and a frame of blocks follows that is the last one.
  fileprivate mutating func isOneFrame(_ bits: BitReader, hasTones: Bool = false) -> Bool {
    var bits = bits
    do throws(ImageCodecError) {
      // All defaults of the luminance, no extensions, and all defaults of the transform.
      if hasTones, try !bits.flag() { return false }
      if !isDefault { guard try bits.read(2) == 0 else { return false } }
      guard try bits.flag() else { return false }
      bits.skipToByte()
      return try isLastFrame(&bits)
    } catch {
      return false
    }
  }

  private mutating func isLastFrame(_ bits: inout BitReader) throws(ImageCodecError) -> Bool {
    // All defaults: the only frame, of blocks.
    if try bits.flag() { return true }
    let (regular, blocks) = (0, 0)
    let kind = (type: try bits.read(2), encoding: try bits.read(1))
    let flags = try bits.flags()
    if flags & 16 != 0 { newFeature = "splines" }
    // Noise, and whether the small image is smoothed. All other flags need further frames.
    let allowed = 1 | 128
    guard kind.type == regular, kind.encoding == blocks, flags & ~allowed == 0 else { return false }
    var isYCbCr = false
    if !isLossy { isYCbCr = try bits.flag() }
    // The sampling of three channels.
    if isYCbCr { _ = try bits.read(6) }
    // By how much it is enlarged.
    guard try bits.read(2) == 0 else { return false }
    // The scales of two quantizers.
    if isLossy { _ = try bits.read(6) }
    let passes = try bits.choice((1, 0), (2, 0), (3, 0), (4, 3))
    if passes > 1 {
      let steps = try bits.choice((0, 0), (1, 0), (2, 0), (3, 1))
      _ = try bits.read(2 * (passes - 1))
      _ = try bits.read(2 * steps)
      for _ in 0..<steps { _ = try bits.choice((0, 0), (1, 0), (2, 0), (0, 3)) }
    }
    let (isPart, replaces) = (try bits.flag(), try bits.read(2) == 0)
    guard !isPart, replaces else { return false }
    return try bits.flag()
  }
}

extension BitReader {
  /// Flags of up to nine bits. Throws for more, which are not in use.
  fileprivate mutating func flags() throws(ImageCodecError) -> Int {
    switch try read(2) {
    case 0: return 0
    case 1: return try 1 + read(4)
    case 2: return try 17 + read(8)
    default: throw .unsupportedFeature("more flags of a frame")
    }
  }

  /// A number whose first two bits choose its least value and its number of further bits.
  fileprivate mutating func choice(
    _ choices: (least: Int, bits: Int)...
  ) throws(ImageCodecError) -> Int {
    let choice = choices[try read(2)]
    return try choice.least + read(choice.bits)
  }
}

/// The parts of a JPEG XL file.
struct JPEGXLFile {
  /// The first bytes of the code stream.
  let beginning: [UInt8]
  let holdsJPEG: Bool
  let hasLongBoxes: Bool

  /// A container without an image.
  static func container(_ boxes: [UInt8]) -> [UInt8] {
    containerSignature + Box.bytes("ftyp", Array("jxl \0\0\0\0jxl ".utf8)) + boxes
  }

  static let containerSignature: [UInt8] = [
    0x00, 0x00, 0x00, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A,
  ]
  static let streamSignature: [UInt8] = [0xFF, 0x0A]
  /// More than a header without names of channels has.
  private static let longestBeginning = 16 << 10

  init(_ bytes: ByteView) throws(ImageCodecError) {
    guard bytes.slice(0, count: 12)?.array == Self.containerSignature else {
      beginning = bytes.slice(0, count: min(bytes.count, Self.longestBeginning))?.array ?? []
      (holdsJPEG, hasLongBoxes) = (false, false)
      return
    }
    var beginning: [UInt8] = []
    var holdsJPEG = false
    let boxes = Box.list(bytes)
    hasLongBoxes = boxes.contains(where: \.isLong) && boxes.allSatisfy(\.isComplete)
    for box in boxes {
      switch box.type {
      case "jbrd": holdsJPEG = true
      case "jxlc": Self.append(box.payload, from: 0, to: &beginning)
      // The number of the part.
      case "jxlp": Self.append(box.payload, from: 4, to: &beginning)
      default: break
      }
    }
    guard beginning.count < Self.streamSignature.count || beginning.starts(with: Self.streamSignature) else {
      throw .corrupt("no code stream in the container")
    }
    (self.beginning, self.holdsJPEG) = (beginning, holdsJPEG)
  }

  private static func append(_ part: ByteView, from start: Int, to beginning: inout [UInt8]) {
    let count = min(part.count - start, longestBeginning - beginning.count)
    beginning += part.slice(start, count: count)?.array ?? []
  }
}

/// Reads numbers of any number of bits, the least significant bit first.
struct BitReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// At most 32 bits. Throws ``ImageCodecError/truncated`` at the end.
  mutating func read(_ count: Int) throws(ImageCodecError) -> Int {
    guard position + count <= bytes.count * 8 else { throw .truncated }
    var number = 0
    for bit in 0..<count {
      number |= Int(bytes[(position + bit) / 8] >> UInt8((position + bit) % 8) & 1) << bit
    }
    position += count
    return number
  }

  mutating func skipToByte() { position = (position + 7) / 8 * 8 }

  mutating func flag() throws(ImageCodecError) -> Bool { try read(1) == 1 }
}
