import ImageCodecs
import Testing

@Suite("Compressed metadata of JPEG XL")
struct CompressedMetadataTests {
  @Test("Exif and XMP in compressed boxes are those of the JPEG that the file was made of")
  func boxes() throws {
    let file = try Files.bytes("compressed-metadata.jxl")
    #expect(file.positions(of: Array("brobExif".utf8)).count == 1)
    #expect(file.positions(of: Array("brobxml ".utf8)).count == 1)

    let metadata = try ImageMetadata(of: file)

    let original = try ImageMetadata(of: #require(try ImageDecoder.originalJPEG(of: file)))
    #expect(metadata.exif == original.exif && metadata.exif?["Artist"] != nil)
    #expect(metadata.xmp == original.xmp && metadata.copyright == "A right")
  }

  @Test("Compressed metadata is the same from a worker process")
  func isolated() throws {
    let file = try Files.bytes("compressed-metadata.jxl")

    let metadata = try IsolatedImageDecoder().metadata(of: file)

    #expect(!metadata.isEmpty)
    #expect(try metadata == ImageMetadata(of: file))
  }

  @Test("A block above the limit is left out, and smaller ones are not")
  func limits() throws {
    let file = try Files.bytes("compressed-metadata.jxl")
    let size = try #require(ImageMetadata(of: file).xmp?.bytes.count)
    func metadata(_ maximum: Int) throws -> ImageMetadata {
      var limits = DecodingLimits()
      limits.maximumMetadataBytes = maximum
      return try ImageMetadata(of: file, limits: limits)
    }

    #expect(try metadata(size).xmp?.bytes.count == size)
    #expect(try metadata(size - 1).xmp == nil && metadata(size - 1).exif != nil)
    #expect(try metadata(1).isEmpty)
  }

  @Test("A damaged box is left out")
  func damaged() throws {
    let file = try Files.bytes("compressed-metadata.jxl")
    let place = try #require(file.positions(of: Array("brobxml ".utf8)).first)
    let whole = try ImageMetadata(of: file).xmp
    for distance in 8..<120 {
      var damaged = file
      damaged[place + distance] ^= 0xFF
      let xmp = try ImageMetadata(of: damaged).xmp
      #expect(xmp == nil || xmp != whole, "\(distance)")
    }
    // An empty one, and one that claims to contain itself.
    for content in ["xml ", "brobxml "] {
      let box = BoxesFile.box("brob", Array(content.utf8))
      #expect(try ImageMetadata(of: Array(file.prefix(32)) + box).isEmpty)
    }
  }

  @Test("Thousands of boxes that are too large are not decompressed")
  func many() throws {
    let file = try Files.bytes("compressed-metadata.jxl")
    let start = try #require(file.positions(of: Array("brobxml ".utf8)).first) - 4
    let length = Array(file[start..<start + 4]).reduce(0) { $0 << 8 | Int($1) }
    let box = Array(file[start..<start + length])
    var limits = DecodingLimits()
    limits.maximumMetadataBytes = 1_000
    let bytes = Array(file.prefix(32)) + (0..<9_000).flatMap { _ in box }

    let clock = ContinuousClock()
    let one = try (0..<10).map { _ in try clock.measure { _ = try ImageMetadata(of: file) } }.min()!

    var metadata = ImageMetadata()
    let many = try (0..<5).map { _ in
      try clock.measure { metadata = try ImageMetadata(of: bytes, limits: limits) }
    }.min()!

    #expect(metadata.isEmpty)
    // Decompressing each of them would take 9,000 times as long as the one.
    #expect(many < one * 2_000, "\(many) beside \(one)")
  }
}
