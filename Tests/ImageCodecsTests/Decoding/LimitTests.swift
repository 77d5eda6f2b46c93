import ImageCodecs
import Testing

@Suite("`DecodingLimits`")
struct LimitTests {
  @Test("The default limits have their documented values")
  func defaults() {
    let limits = DecodingLimits.default

    #expect(limits.maximumEncodedBytes == 67_108_864)
    #expect(limits.maximumSide == 65_535)
    #expect(limits.maximumPixels == 50_000_000)
    #expect(limits.maximumDecodedBytes == 268_435_456)
    #expect(limits.maximumWorkingBytes == 536_870_912)
    #expect(limits.maximumPixelsPerByte == 5_000)
    #expect(limits.maximumScans == 64)
    #expect(limits.maximumWarnings == 1_000)
    #expect(limits.maximumMetadataBytes == 4_194_304)
    #expect(limits.deadline == .seconds(10))
  }

  @Test("The description of a limit contains its value")
  func names() {
    let sizes: [DecodingLimits.Size] = [.side(1), .pixels(2), .bytes(3), .pixelsPerByte(4)]
    let work: [DecodingLimits.Work] = [
      .encodedBytes(1), .workingBytes(2), .scans(3), .frames(4), .warnings(5), .elements(6),
    ]

    for (index, limit) in sizes.enumerated() { #expect("\(limit)".hasPrefix("at most \(index + 1) ")) }
    for (index, limit) in work.enumerated() { #expect("\(limit)".hasPrefix("at most \(index + 1) ")) }
  }

  @Test(
    "The limits on sides, pixels and decoded bytes are exact",
    arguments: [ImageEncoder.Encoding.jpeg(), .png, .losslessWebP])
  func dimensions(encoding: ImageEncoder.Encoding) throws {
    let file = try ImageEncoder.encode(Samples.picture(40, 30, .rgb8), as: encoding)
    // What cannot be decoded by rows is counted with an alpha channel.
    let bytesPerPixel = encoding == .losslessWebP ? 4 : 3

    try expect(file, .side(39)) { $0.maximumSide = 39 }
    try expect(file, nil) { $0.maximumSide = 40 }
    try expect(file, .pixels(1_199)) { $0.maximumPixels = 1_199 }
    try expect(file, nil) { $0.maximumPixels = 1_200 }
    try expect(file, .bytes(1_200 * bytesPerPixel - 1)) {
      $0.maximumDecodedBytes = 1_200 * bytesPerPixel - 1
    }
    try expect(file, nil) { $0.maximumDecodedBytes = 1_200 * bytesPerPixel }
  }

  @Test("The limit on encoded bytes is exact")
  func fileSize() throws {
    let file = JPEGFile().bytes
    var options = DecodingOptions()

    options.limits.maximumEncodedBytes = file.count
    #expect(try ImageDecoder.decode(file, options: options).width == 8)
    options.limits.maximumEncodedBytes = file.count - 1

    #expect(throws: ImageCodecError.limitExceeded(.encodedBytes(file.count - 1))) {
      try ImageDecoder.decode(file, options: options)
    }
  }

  @Test("The default limit on sides refuses an image of 65,536 rows")
  func formatSides() {
    let tall = PNGFile.file(1, 65_536, color: 0, rows: [])

    #expect(throws: ImageCodecError.tooLarge(width: 1, height: 65_536, limit: .side(65_535))) {
      try ImageDecoder.decode(tall)
    }
  }

  @Test("The limit on pixels per byte stops decompression bombs, even for thumbnails")
  func bombs() {
    for file in [
      PNGFile.file(6_000, 6_000, color: 0, rows: []),
      JPEGFile(width: 60_000, height: 60_000).bytes,
      WebPFile.riff(WebPFile.chunk("VP8L", [0x2F] + little(6_000 | 6_000 << 14, count: 4))),
    ] {
      let error = #expect(throws: ImageCodecError.self) {
        try ImageDecoder.decode(file, options: DecodingOptions(target: .fitting(100)))
      }

      guard case .tooLarge(_, _, .pixelsPerByte(5_000)) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }

  @Test(
    "The working memory limit applies to the coefficients of a progressive JPEG")
  func workingMemory() throws {
    let image = try Samples.picture(256, 256, .rgb8)
    let progressive = try ImageEncoder.encode(image, as: .jpeg(progressive: true))
    let baseline = try ImageEncoder.encode(image, as: .jpeg())
    var whole = DecodingOptions()
    whole.limits.maximumWorkingBytes = 150_000
    var small = DecodingOptions(target: .fitting(16))
    small.limits.maximumWorkingBytes = 4_000

    #expect(throws: ImageCodecError.limitExceeded(.workingBytes(150_000))) {
      try ImageDecoder.decode(progressive, options: whole)
    }
    #expect(throws: ImageCodecError.limitExceeded(.workingBytes(4_000))) {
      try ImageDecoder.decode(progressive, options: small)
    }
    #expect(try ImageDecoder.decode(baseline, options: whole).width == 256)
    whole.limits.maximumWorkingBytes = 300_000
    #expect(try ImageDecoder.decode(progressive, options: whole).width == 256)
    small.limits.maximumWorkingBytes = 20_000
    #expect(try ImageDecoder.decode(progressive, options: small).width == 16)
  }

  @Test("The working memory limit includes the frame buffer of a lossless WebP")
  func workingMemoryOfWebP() throws {
    let file = try ImageEncoder.encode(Samples.picture(50, 40, .rgb8), as: .losslessWebP)
    var options = DecodingOptions()
    options.limits.maximumWorkingBytes = 7_999

    #expect(throws: ImageCodecError.limitExceeded(.workingBytes(7_999))) {
      try ImageDecoder.decode(file, options: options)
    }
    options.limits.maximumWorkingBytes = 8_000
    #expect(try ImageDecoder.decode(file, options: options).width == 50)
  }

  @Test("The working memory limit includes all row buffers of a PNG")
  func workingMemoryOfPNG() throws {
    let file = try ImageEncoder.encode(Samples.picture(20_000, 2, .rgb8), as: .png)
    var options = DecodingOptions()
    for bytes in [1, 90_000] {
      options.limits.maximumWorkingBytes = bytes
      #expect(throws: ImageCodecError.limitExceeded(.workingBytes(bytes))) {
        try ImageDecoder.decode(file, options: options)
      }
    }
    options.limits.maximumWorkingBytes = 300_000
    #expect(try ImageDecoder.decode(file, options: options).width == 20_000)
  }

  @Test(
    "Exceeding the working memory limit throws `limitExceeded` in every format",
    arguments: [
      "interlaced.png", "progressive.jpg", "tiled.tiff", "fax.tiff", "jpeg.tiff", "planes.tiff",
      "picture.avif",
      "picture.heic", "lossless.webp", "png.ico", "animated.png", "animated.webp",
    ])
  func workingMemoryOfAll(name: String) throws {
    let file = try Files.bytes(name)
    var options = DecodingOptions()
    for bytes in [1, 1_000, 5_000, 20_000, 60_000] {
      options.limits.maximumWorkingBytes = bytes
      do throws(ImageCodecError) {
        _ = try ImageDecoder.decode(file, options: options)
        #expect(bytes > 5_000)
      } catch {
        #expect(error == .limitExceeded(.workingBytes(bytes)))
      }
    }
  }

  @Test("The limit on scans stops a JPEG with ten thousand scans")
  func scans() throws {
    let file = try ImageEncoder.encode(Samples.picture(16, 16, .rgb8), as: .jpeg(progressive: true))
    let start = try #require(file.positions(of: [0xFF, 0xDA]).first)
    let end = try #require(file.positions(of: [0xFF, 0xC4]).first { $0 > start })
    let scans = [[UInt8]](repeating: Array(file[start..<end]), count: 10_000).flatMap { $0 }
    let bomb = Array(file[..<start]) + scans + Array(file[end...])

    #expect(throws: ImageCodecError.limitExceeded(.scans(64))) { try ImageDecoder.decode(bomb) }
    #expect(throws: ImageCodecError.limitExceeded(.scans(64))) {
      try ImageDecoder.decodeAvailable(bomb)
    }
    #expect(try ImageDecoder.decode(file).width == 16)
  }

  @Test("The limit on warnings stops a JPEG that causes a warning")
  func warnings() {
    var file = JPEGFile(levels: [90])
    file.beforeFrame = [UInt8](repeating: 0, count: 3)
    var options = DecodingOptions()
    options.limits.maximumWarnings = 0

    #expect(throws: ImageCodecError.limitExceeded(.warnings(0))) {
      try ImageDecoder.decode(file.bytes, options: options)
    }
    #expect(throws: Never.self) { try ImageDecoder.decode(file.bytes) }
  }

  @Test("A color profile that inflates beyond the limit is dropped, and the image decodes")
  func inflatingProfile() throws {
    let chunk = Array("name".utf8) + [0, 0] + Deflate.bomb(ofZeros: 40 << 20)
    let file = PNGFile.file(1, 1, color: 2, before: [("iCCP", chunk)], rows: [[1, 2, 3]])

    let image = try ImageDecoder.decode(file)

    #expect(image.colorSpace == .untagged)
    #expect(image.bytes == [1, 2, 3])
  }

  @Test(
    "The limit on metadata is exact, and larger profiles are dropped",
    arguments: [ImageEncoder.Encoding.jpeg(), .png, .webp()])
  func profileSize(encoding: ImageEncoder.Encoding) throws {
    let profile = try #require(ICCProfile(bytes: Profiles.minimal()))
    let image = try Samples.picture(8, 8, .rgb8, colorSpace: .profile(profile))
    let file = try ImageEncoder.encode(image, as: encoding)
    var options = DecodingOptions.asStored

    options.limits.maximumMetadataBytes = profile.bytes.count
    #expect(try ImageDecoder.decode(file, options: options).colorSpace == .profile(profile))
    options.limits.maximumMetadataBytes -= 1
    #expect(
      try ImageDecoder.decode(file, options: options).colorSpace.description.hasSuffix("bytes") == false)
  }

  @Test("A negative limit allows nothing")
  func negative() throws {
    let file = try ImageEncoder.encode(Samples.picture(8, 8, .rgb8), as: .png)
    for change in [
      { $0.maximumEncodedBytes = -1 }, { $0.maximumSide = -1 }, { $0.maximumPixels = -1 },
      { $0.maximumDecodedBytes = -1 }, { $0.maximumWorkingBytes = -1 }, { $0.deadline = .seconds(-1) },
    ] as [(inout DecodingLimits) -> Void] {
      var options = DecodingOptions()
      change(&options.limits)

      #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(file, options: options) }
    }
  }

  private func expect(
    _ file: [UInt8], _ limit: DecodingLimits.Size?, _ change: (inout DecodingLimits) -> Void
  ) throws {
    var options = DecodingOptions()
    change(&options.limits)
    if let limit {
      #expect(throws: ImageCodecError.tooLarge(width: 40, height: 30, limit: limit)) {
        try ImageDecoder.decode(file, options: options)
      }
    } else {
      #expect(try ImageDecoder.decode(file, options: options).width == 40)
    }
  }
}
