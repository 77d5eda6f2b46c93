import ImageCodecs
import Testing

/// Limits and costs of headers that claim what they like.
@Suite("Bounds of decoding limits and costs")
struct LimitBoundTests {
  private static func error(_ file: [UInt8], _ change: (inout DecodingLimits) -> Void) -> ImageCodecError? {
    var options = DecodingOptions()
    change(&options.limits)
    do throws(ImageCodecError) {
      _ = try ImageDecoder.decode(file, options: options)
      return nil
    } catch { return error }
  }

  private static func png(_ width: Int, _ height: Int, color: UInt8 = 2) -> [UInt8] {
    PNGFile.file(width, height, color: color, rows: [])
  }

  @Test("Each side is within the limit of its own")
  func sides() {
    for (width, height) in [(41, 40), (40, 41)] {
      #expect(
        Self.error(Self.png(width, height)) { $0.maximumSide = 40 }
          == .tooLarge(width: width, height: height, limit: .side(40)))
    }
    #expect(Self.error(Self.png(40, 40)) { $0.maximumSide = 40 }?.kind != "tooLarge")
    // What the format can hold is a limit, too.
    let tall = JPEGFile(width: 16, height: 65_501).bytes
    #expect(
      Self.error(tall) { $0.maximumSide = .max } == .tooLarge(width: 16, height: 65_501, limit: .side(65_500))
    )
  }

  @Test(
    "Up to ten million pixels may be in a file of any size, and more if there is a byte for enough of them")
  func pixelsPerByte() {
    let file = Self.png(5_000, 2_000)
    #expect(Self.error(file) { $0.maximumPixelsPerByte = 1 }?.kind != "tooLarge")
    let large = Self.png(5_000, 2_001)
    let ratio = 5_000 * 2_001 / large.count
    #expect(Self.error(large) { $0.maximumPixelsPerByte = ratio }?.kind != "tooLarge")
    #expect(
      Self.error(large) { $0.maximumPixelsPerByte = ratio - 1 }
        == .tooLarge(width: 5_000, height: 2_001, limit: .pixelsPerByte(ratio - 1)))
  }

  @Test(
    "No working bytes are none, and not unlimited",
    arguments: [
      "interlaced.png", "progressive.jpg", "fax.tiff", "picture.avif", "picture.heic", "lossless.webp",
    ])
  func none(name: String) throws {
    let file = try Files.bytes(name)
    for bytes in [0, -1, .min] {
      #expect(Self.error(file) { $0.maximumWorkingBytes = bytes } == .limitExceeded(.workingBytes(bytes)))
    }
  }

  @Test("Work ends at its deadline, and neither before nor without a reason")
  func deadlines() throws {
    let file = try Files.bytes("picture.png")
    func decode(_ elapsed: Duration, isCancelled: @escaping () -> Bool = { false }) throws -> Image {
      let watch = DecodingWatch(deadline: .seconds(3), elapsed: { elapsed }, isCancelled: isCancelled)
      return try file.withUnsafeBytes {
        try ImageDecoder.read($0, options: DecodingOptions(), isStrict: true, watch: watch).image
      }
    }

    #expect(try decode(.seconds(3) - .nanoseconds(1)) == Files.image("picture.png"))
    #expect(throws: ImageCodecError.deadlineExceeded) { try decode(.seconds(3)) }
    var asked = 0
    #expect(throws: ImageCodecError.cancelled) {
      try decode(.seconds(3)) {
        asked += 1
        return true
      }
    }
    // Once it is cancelled, it is not asked again.
    #expect(asked == 1)
    let usual = DecodingWatch(deadline: .seconds(3), elapsed: { .zero })
    #expect(throws: Never.self) {
      try file.withUnsafeBytes {
        try ImageDecoder.read($0, options: DecodingOptions(), isStrict: true, watch: usual)
      }
    }
  }

  @Test("A cost beyond a trillion megabytes is the greatest number, and one just below it is exact")
  func greatest() throws {
    let side = 500_000_000
    #expect(try ImageDecoder.byteCost(of: Self.png(side, side, color: 6)) == .max)
    #expect(
      try ImageDecoder.byteCost(of: Self.png(side, side - 1, color: 6)) == 1_000_000_000_000_000_000 - 4
        * side)
    #expect(throws: ImageCodecError.self) { try ImageDecoder.byteCost(of: [1, 2, 3]) }
  }

  @Test("The cost is that of the decoder, and of each copy for a target, an orientation or more depth")
  func copies() throws {
    func cost(_ file: [UInt8], _ target: Double? = nil, _ change: (inout DecodingOptions) -> Void = { _ in })
      throws -> Int
    {
      var options = DecodingOptions(target: target.map { .fitting($0) })
      change(&options)
      return try ImageDecoder.byteCost(of: file, options: options)
    }
    let png = Self.png(40, 20), deep = PNGFile.file(40, 20, bitDepth: 16, color: 2, rows: [])

    #expect(try cost(png) == 2_400 && cost(png, 40) == 2_400 && cost(png, 80) == 2_400)
    #expect(try cost(png, 20) == 2_400 + 200 * 4 && cost(png, 1) == 2_400 + 1 * 4)
    #expect(try cost(deep) == 2_400 && cost(deep) { $0.keepsDepth = true } == 4_800)
    #expect(try cost(deep, 20) { $0.keepsDepth = true } == 4_800 + 200 * 8)
    #expect(try cost(UncompressedFile.gif(40, 20), 20) == 800 * 7 + 200 * 4)
    #expect(try cost(UncompressedFile.bmp(40, 20), 20) == 800 * 3 + 200 * 4)
  }

  @Test("The cost of a gain map is that of its own decoder and copies, while its image is in memory")
  func gainMaps() throws {
    var image = try Samples.picture(48, 32, .rgb8)
    image.gainMap = try GainMap(image: Samples.picture(16, 8, .gray8), metadata: GainMaps.metadata)
    let small = try ImageEncoder.encode(image, as: .jpeg())
    image.gainMap = try GainMap(image: Samples.picture(48, 32, .gray8), metadata: GainMaps.metadata)
    let large = try ImageEncoder.encode(image, as: .jpeg())
    // Blocks of eight pixels, and one more on each side.
    let whole = 56 * 40 * 3, map = 24 * 16 * 3

    for (file, mapCost) in [(small, map), (large, whole)] {
      #expect(try ImageDecoder.byteCost(of: file) == whole)
      #expect(
        try ImageDecoder.byteCost(of: file, options: GainMaps.decoding) == max(whole, 48 * 32 * 4 + mapCost))
    }
    let plain = try ImageEncoder.encode(Samples.picture(48, 32, .rgb8), as: .jpeg())
    #expect(try ImageDecoder.byteCost(of: plain, options: GainMaps.decoding) == whole)
  }

  @Test("An error of a library has its reason")
  func reasons() throws {
    var file = PNGFile(width: 2, height: 2, bitDepth: 8, color: 2)
    file.append("IDAT", Array(1...40))
    file.end()
    let error = #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(file.bytes) }
    guard case .corrupt(let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(!reason.isEmpty && reason != "the library gives no reason")
  }
}
