import Foundation
import ImageCodecs
import Testing

@Suite("`BlurHash`")
struct BlurHashTests {
  /// The hashes are those of two independent implementations, `blurhash` 1.1.5 and `blurhash-rs` 2.0.0.
  @Test(
    "The hash of an image is that of other implementations",
    arguments: [
      (HashedImage.curves, 40, 30, 4, 3, "LiDJIi2d;,OYm2Wbjwa$gzfmfSfk"),
      (.curves, 40, 30, 1, 1, "00DJIi"),
      (.curves, 17, 60, 3, 5, "cjCs$:74,chualjwg|f,fSika$jug2flfR"),
      (
        .stripes, 64, 64, 9, 9,
        "|6GIWHy2Zhs7TBtdRgs*WRnMQVSuTBSvSvSvWUScVqU|X#RkS2jFNeSgS4kiTURRQ;SxRSSeX8S#R6Y=X}S_S5X8NeOFNeI:E3EgF@"
          + "F^E%F_J.OXrVbWvUeWxZv.$~xZ,=z?u;y8tiw}t7rwr2t4ROaKj[VfbIeZWpWWn$"
      ),
      (.stripes, 100, 23, 4, 3, "L6GIWEq[Y-taGOqwDSH0D}qxM4P3"),
    ])
  func encoding(image: HashedImage, width: Int, height: Int, columns: Int, rows: Int, expected: String) throws
  {
    let hash = try BlurHash(encoding: image.drawn(width, height), columns: columns, rows: rows)

    #expect(hash.description == expected)
    #expect(hash.columns == columns && hash.rows == rows)
  }

  /// Hashes of the format's own page and of its description, drawn by the same two implementations.
  @Test(
    "A published hash is drawn with the colors of other implementations",
    arguments: [
      (
        "LEHV6nWB2yk8pyo0adR*.7kCMdnj",
        [[135, 164, 177], [137, 166, 181], [158, 125, 108], [136, 144, 147], [132, 142, 147]]
      ),
      (
        "LKO2:N%2Tw=w]~RBVZRi};RPxuwH",
        [[251, 192, 161], [228, 203, 177], [196, 160, 159], [235, 212, 184], [192, 190, 182]]
      ),
      (
        "LlMF%n00%#MwS|WCWEM{R*bbWBbH",
        [[91, 67, 0], [249, 245, 238], [181, 107, 80], [158, 112, 66], [244, 223, 222]]
      ),
    ] as [(String, [[UInt8]])])
  func decoding(text: String, colors: [[UInt8]]) throws {
    let image = try BlurHash(text).image(width: 32, height: 24)

    for (place, color) in zip([(0, 0), (31, 0), (16, 12), (0, 23), (31, 23)], colors) {
      let pixel = try #require(image.pixel(x: place.0, y: place.1))
      #expect(pixel.isNear(color, by: 1), "\(place): \(pixel)")
    }
  }

  @Test("A hash has the average color of its image, and transparent parts have that of the background")
  func average() throws {
    let flat = try BlurHash(encoding: Samples.flat(8, 8, [200, 100, 50]), columns: 1, rows: 1)
    let clear = try Samples.flat(8, 8, [9, 9, 9, 0])

    #expect(flat.averageColor == Image.Pixel(red: 200, green: 100, blue: 50))
    #expect(try flat.image(width: 2, height: 2) == Samples.flat(2, 2, [200, 100, 50]))
    #expect(try BlurHash(encoding: clear).averageColor == Image.Pixel(red: 255, green: 255, blue: 255))
    let blue = Image.Pixel(red: 0, green: 0, blue: 255)
    #expect(try BlurHash(encoding: clear, background: blue).averageColor == blue)
  }

  @Test("Any characters of the alphabet are drawn, or throw a typed error")
  func hostile() throws {
    let alphabet = Array(
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~")
    var random = SeededRandom(seed: 5)
    var drawnCount = 0
    for _ in 0..<300 {
      let count = 4 + 2 * (1 + random.below(4))
      let sizes = ["0", "1", "2", "9", "A", "S"]
      let rest = (1..<count).map { _ in alphabet[random.below(20)] }
      guard let hash = try? BlurHash(sizes[random.below(sizes.count)] + String(rest)) else { continue }
      drawnCount += 1
      #expect(try hash.image(width: 3, height: 2).size == PixelSize(width: 3, height: 2))
    }
    #expect(drawnCount > 20)
    let image = try Samples.flat(2, 2, [1, 2, 3])
    #expect(throws: ImageCodecError.self) { try BlurHash(encoding: image, columns: 10) }
    #expect(throws: ImageCodecError.self) { try BlurHash("00DJIi").image(width: 0, height: 2) }
  }

  @Test("A placeholder has any size, as it has no proportions")
  func size() throws {
    let blur = try BlurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj")
    let blurred = try blur.image(width: 32, height: 24)

    #expect(try blurred.likeness(to: blur.image(width: 96, height: 72).resized(to: .fitting(32))) > 30)
    #expect(try blur.image(width: 3, height: 256).size == PixelSize(width: 3, height: 256))
  }

  @Test("A hash is text in JSON")
  func text() throws {
    let hash = try BlurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj")

    let data = try JSONEncoder().encode([hash])

    #expect(String(decoding: data, as: UTF8.self) == "[\"\(hash)\"]")
    #expect(try JSONDecoder().decode([BlurHash].self, from: data) == [hash])
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(BlurHash.self, from: Data("\"L\"".utf8)) }
  }
}
