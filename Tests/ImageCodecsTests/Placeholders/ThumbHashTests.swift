import Foundation
import ImageCodecs
import Testing

@Suite("`ThumbHash`")
struct ThumbHashTests {
  /// The hashes are those of the published crate `thumbhash` 0.1.0, and of an independent port, `thumbhash-python` 1.0.1.
  @Test(
    "The hash of an image is that of the published implementation",
    arguments: [
      (HashedImage.curves, 40, 30, "U/gFbZiwh4exiIeLiHh4iIBgCPln"),
      (.curves, 17, 60, "U/gFahrAsMd3h4mHgGAI+Wc="),
      (.stripes, 64, 64, "XBgCDwI2dEYCdmYkaDdYRJAy9Mq2tPcI"),
      (.stripes, 100, 23, "WxgGCoQTVmdQghY1n62tT2s="),
      (.fading, 32, 20, "VcaJM4w6ZHhQeIhjnzn3aW94eHeHh4c="),
      (.fading, 21, 50, "VNaNKhAqdVCIeIdynyr3aW94eniHiHc="),
    ])
  func encoding(image: HashedImage, width: Int, height: Int, expected: String) throws {
    let hash = try ThumbHash(encoding: image.drawn(width, height))

    #expect(hash.description == expected)
    #expect(hash.bytes == Array(try #require(Data(base64Encoded: expected))))
    #expect(hash.hasAlpha == (image == .fading))
  }

  /// Three of the hashes on the page of the format and in the tests of its ports, drawn by the published crate.
  @Test(
    "A published hash is drawn with the colors of the published implementation",
    arguments: [
      (
        "1QcSHQRnh493V4dIh4eXh1h4kJUI", 23, 32,
        [[64, 77, 113], [84, 109, 139], [140, 109, 88], [0, 4, 39]], [86, 82, 88]
      ),
      (
        "3OcRJYB4d3h/iIeHeEh3eIhw+j3A", 32, 23,
        [[124, 136, 159], [124, 136, 159], [112, 124, 139], [86, 99, 46]], [106, 118, 116]
      ),
      (
        "k0oGLQaSVsN0BVhn2oq2Z5SQUQcZ", 23, 32,
        [[27, 53, 52], [42, 60, 36], [160, 94, 6], [158, 103, 0]], [123, 87, 20]
      ),
    ] as [(String, Int, Int, [[UInt8]], [UInt8])])
  func decoding(text: String, width: Int, height: Int, colors: [[UInt8]], average: [UInt8]) throws {
    let hash = try ThumbHash(text)

    let image = try hash.image()

    #expect(image.size == PixelSize(width: width, height: height))
    #expect(image.pixelFormat == .rgb8)
    let places = [(0, 0), (width - 1, 0), (width / 2, height / 2), (width - 1, height - 1)]
    for (place, color) in zip(places, colors) {
      let pixel = try #require(image.pixel(x: place.0, y: place.1))
      #expect(pixel.isNear(color, by: 1), "\(place): \(pixel)")
    }
    #expect(hash.averageColor.isNear(average, by: 1))
  }

  @Test(
    "The hash of a transparent image is drawn with its transparency, as the published implementation draws it"
  )
  func transparency() throws {
    let image = try ThumbHash("VcaJM4w6ZHhQeIhjnzn3aW94eHeHh4c=").image()

    #expect(image.size == PixelSize(width: 32, height: 19) && image.pixelFormat == .rgba8)
    let colors: [[UInt8]] = [[14, 22, 34, 237], [81, 56, 35, 205], [66, 76, 122, 186], [57, 113, 150, 0]]
    for (place, color) in zip([(0, 0), (16, 0), (16, 9), (31, 18)], colors) {
      let pixel = try #require(image.pixel(x: place.0, y: place.1))
      #expect(pixel.isNear(color, by: 1), "\(place): \(pixel)")
    }
    #expect(try ThumbHash(encoding: Samples.flat(4, 4, [9, 9, 9, 0])).averageColor.alpha == 0)
  }

  @Test("A placeholder resembles its image, also of other sizes, formats and color depths")
  func resemblance() throws {
    let photograph = try HashedImage.curves.drawn(400, 300)
    let small = try photograph.resized(to: .fitting(32))

    let hash = try ThumbHash(encoding: photograph)
    let placeholder = try hash.image()
    let large = try hash.image(side: 128)

    #expect(placeholder.likeness(to: try small.cropped(x: 0, y: 0, width: 32, height: 23)) > 20)
    #expect(large.size == PixelSize(width: 128, height: 91))
    #expect(abs(hash.aspectRatio - 4 / 3) < 0.1)
    let gray = try Samples.flat(5, 5, [120])
    #expect(try ThumbHash(encoding: gray).averageColor.isNear([120, 120, 120], by: 8))
    #expect(try ThumbHash(encoding: gray.widened()) == ThumbHash(encoding: gray))
  }

  @Test("A hash is text in JSON, in Base64 with or without padding and also in that for URLs")
  func text() throws {
    let text = "U/gFahrAsMd3h4mHgGAI+Wc="
    let hash = try ThumbHash(text)

    #expect(try ThumbHash(text.dropLast()) == hash)
    #expect(try ThumbHash("U_gFahrAsMd3h4mHgGAI-Wc") == hash)
    #expect(try ThumbHash(hash.bytes + [0, 1, 2]) == hash)
    #expect(String(decoding: try JSONEncoder().encode([hash]), as: UTF8.self).count == text.count + 5)
    #expect(try JSONDecoder().decode([ThumbHash].self, from: JSONEncoder().encode([hash])) == [hash])
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(ThumbHash.self, from: Data("\"?\"".utf8)) }
  }

  @Test("Any bytes are drawn, or throw a typed error")
  func hostile() throws {
    var random = SeededRandom(seed: 3)
    var drawnCount = 0
    for _ in 0..<300 {
      let bytes = (0..<random.below(40)).map { _ in random.byte() }
      do throws(ImageCodecError) {
        let image = try ThumbHash(bytes).image(side: 8)
        drawnCount += 1
        #expect(max(image.width, image.height) == 8)
      } catch {
        #expect(error == .truncated || error.kind == "corrupt")
      }
    }
    #expect(drawnCount > 50)
    let hash = try ThumbHash("U/gFahrAsMd3h4mHgGAI+Wc=")
    for count in 0..<hash.bytes.count {
      #expect(throws: ImageCodecError.truncated) { try ThumbHash(hash.bytes.prefix(count)) }
    }
    #expect(throws: ImageCodecError.corrupt("a placeholder without a size")) {
      try ThumbHash([1, 2, 3, 0xF8, 5] + [UInt8](repeating: 7, count: 30))
    }
    for side in [0, -1, 257] {
      #expect(throws: ImageCodecError.self) { try hash.image(side: side) }
    }
  }
}

/// Images that are computed, so that other implementations can compute them as well.
enum HashedImage: Sendable {
  case curves, stripes, fading

  func drawn(_ width: Int, _ height: Int) throws -> Image {
    var bytes: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width { bytes += color(x, y, width, height).map { UInt8($0) } }
    }
    return try Image(
      bytes: bytes, width: width, height: height, pixelFormat: self == .fading ? .rgba8 : .rgb8)
  }

  private func color(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> [Int] {
    switch self {
    case .curves:
      [
        x * x * 255 / (width * width), (3 * x + 5 * y * y) * 255 / (3 * width + 5 * height * height),
        (width - x) * (height - y) * 255 / (width * height),
      ]
    case .stripes:
      [
        (x * x + 7 * y) / 40 % 4 * 60 + 30, (x + y * y) / 30 % 3 * 90 + 20, x * y / 25 % 5 * 50 + 10,
      ]
    case .fading:
      [
        x * x * 255 / (width * width), (5 * x + y * y) * 255 / (5 * width + height * height),
        y * 255 / height, 255 - (x * x + 3 * y) * 255 / (width * width + 3 * height),
      ]
    }
  }
}

extension Image.Pixel {
  /// Whether no channel differs by more. A color of three channels is opaque.
  func isNear(_ color: [UInt8], by distance: Int) -> Bool {
    let channels = zip([red, green, blue, alpha], color + (color.count == 3 ? [255] : []))
    return channels.allSatisfy { abs(Int($0) - Int($1)) <= distance }
  }
}
