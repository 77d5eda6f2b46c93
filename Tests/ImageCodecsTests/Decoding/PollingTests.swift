import ImageCodecs
import Testing

/// Files of formats that this library does not write, or writes in one way only.
@Suite("Cancellation polling")
struct PollingTests {
  /// How often a decoder asks: by row, and before and after each call that cannot be interrupted.
  static let files = [
    ("interlaced.gif", 77), ("still.gif", 77), ("interlaced.png", 507), ("palette.png", 75), ("gray.jpg", 75),
    ("picture.heic", 5), ("picture.jxl", 9), ("transcoded.jxl", 9), ("picture.avif", 5), ("deep.tiff", 75),
    ("fax.tiff", 75), ("tiled.tiff", 75),
    ("planes.tiff", 75), ("jpeg.tiff", 75), ("palette.bmp", 75), ("runs.bmp", 75), ("masked.ico", 67),
  ]

  @Test("A decoder stops at the first poll that reports cancellation", arguments: files)
  func questions(name: String, count: Int) throws {
    let file = try Files.bytes(name)
    var asked = 0
    _ = try ImageDecoder.decode(
      file,
      isCancelled: {
        asked += 1; return false
      })
    #expect(asked == count)

    for last in 1...asked {
      var asked = 0
      #expect(throws: ImageCodecError.cancelled) {
        try ImageDecoder.decode(
          file,
          isCancelled: {
            asked += 1; return asked >= last
          })
      }
      #expect(asked == last)
    }
  }
}
