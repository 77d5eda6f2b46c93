import Foundation
import ImageCodecs
import Testing

/// `STRUCTURE_ROUNDS` is the number of changed files for each seed.
@Suite("Changed structures")
struct BoxesFuzzingTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["STRUCTURE_ROUNDS"].flatMap { Int($0) } ?? 150

  static let seeds: [(name: String, syntax: StructureFuzzing.Syntax)] = [
    ("picture.avif", .boxes), ("transparent.avif", .boxes), ("gain-map.avif", .boxes),
    ("animated.avif", .boxes),
    ("picture.heic", .boxes), ("transparent.heic", .boxes), ("grid", .boxes), ("overlay", .boxes),
    ("compressed-metadata.jxl", .boxes), ("animated.png", .png), ("palette.png", .png), ("wide.png", .png),
    ("animated.webp", .riff), ("transparent.webp", .riff), ("wide.webp", .riff), ("plain.tiff", .tiff),
    ("tiled.tiff", .tiff), ("palette.tiff", .tiff), ("big-endian.tiff", .tiff), ("jpeg.tiff", .tiff),
  ]

  private func seed(_ name: String) throws -> [UInt8] {
    guard name == "grid" || name == "overlay" else { return try Files.bytes(name) }
    var file = try BoxesFile(Files.bytes("picture.heic"), brand: "heic")
    let tile = file.items[0]
    let size = name == "grid" ? (190, 140) : (100, 80)
    let fill = [UInt8](repeating: 0x80, count: 8)
    let lengths = big(size.0, count: 2) + big(size.1, count: 2)
    let grid: [UInt8] = [0, 0, 1, 1] + lengths
    let overlay: [UInt8] = [0, 0] + fill + lengths + [0, 0, 0, 0, 0, 4, 0, 8]
    let own = [BoxesForm.size(size.0, size.1)]
    file.items = [
      .init(type: name == "grid" ? "grid" : "iovl", data: name == "grid" ? grid : overlay, properties: own)
    ]
    file.items += Array(repeating: tile, count: name == "grid" ? 4 : 2)
    file.references = [("dimg", 1, Array(2..<file.items.count + 1))]
    return file.bytes
  }

  @Test(
    "A file with a changed structure ends in an error or an image, soon and within the limits",
    arguments: seeds.indices)
  func changes(index: Int) throws {
    let (name, syntax) = Self.seeds[index]
    let original = try seed(name)
    #expect(try ImageDecoder.decode(original).width > 0)
    let fuzzing = StructureFuzzing(original, syntax)
    var random = SeededRandom(seed: UInt64(index + 1))
    var options = DecodingOptions(keepsGainMap: true)
    options.limits.maximumPixels = 300_000
    options.limits.maximumWorkingBytes = 32 << 20
    var (images, errors) = (0, 0)

    for round in 0..<Self.rounds {
      // Who runs many of them sees that they go on.
      if round % 500 == 499 { print("\(name): \(round + 1) files") }
      let bytes = fuzzing.changed { random.below($0) }
      let start = ContinuousClock.now
      _ = try? ImageDecoder.info(of: bytes)
      _ = try? ImageDecoder.byteCost(of: bytes, options: options)
      _ = try? ImageMetadata(of: bytes)
      if let image = try? ImageDecoder.decode(bytes, options: options) {
        images += 1
        #expect(image.width * image.height <= 300_000)
      } else {
        errors += 1
      }
      if round.isMultiple(of: 4), let reader = try? AnimationReader(bytes, options: options) {
        while let frame = try? reader.next() { #expect(frame.image.width > 0) }
      }
      #expect(ContinuousClock.now - start < .seconds(60), "\(name) \(round)")
    }

    // Were one of them never to happen, the changes would be testing nothing.
    #expect(images > 0 && errors > 0, "\(name): \(images) images, \(errors) errors")
  }
}
