import CCodecs
import ImageCodecs
import Testing

@Suite("AVIF grids, read in C")
struct AVIFGridTests {
  private static let (width, height) = (128, 64)

  /// A file that announces 128 by 64 pixels, and has two tiles of 64 by 64 in a grid of this shape.
  private static func file(rows: Int, columns: Int) throws -> [UInt8] {
    var file = try BoxesFile(
      ImageEncoder.encode(Samples.flat(64, 64, [10, 200, 30]), as: .avif(quality: 0.9)), brand: "avif")
    let tile = file.items[0]
    let size = BoxesFile.box("ispe", big(0, count: 4) + big(width, count: 4) + big(height, count: 4))
    let shape: [UInt8] = [0, 0, UInt8(rows - 1), UInt8(columns - 1)]
    let grid = shape + big(64 * columns, count: 2) + big(64 * rows, count: 2)
    let others = tile.properties.filter { property in
      !["ispe", "av1C"].contains(String(decoding: property[4..<8], as: UTF8.self))
    }
    file.items = [BoxesFile.Item(type: "grid", data: grid, properties: [size] + others), tile, tile]
    file.references = [("dimg", 1, [2, 3])]
    return file.bytes
  }

  @Test("A grid of another shape than its AVIF announces is corrupt, and writes nothing behind the pixels")
  func shape() throws {
    #expect(try ImageDecoder.decode(Self.file(rows: 1, columns: 2)).size == PixelSize(width: 128, height: 64))
    let tall = try Self.file(rows: 2, columns: 1)
    let count = Self.width * Self.height * 3
    var pixels = [UInt8](repeating: 0xAB, count: count * 2)
    var message = [CChar](repeating: 0, count: Int(CodecMessageCapacity))
    var options = CodecReadOptions()
    options.shouldContinue = { _ in true }

    let status = pixels.withUnsafeMutableBufferPointer { pixels in
      var frame = CodecBoxesFrame()
      (frame.width, frame.height, frame.channels) = (UInt32(Self.width), UInt32(Self.height), 3)
      (frame.pixels, frame.bytesPerRow) = (pixels.baseAddress, Self.width * 3)
      return codec_avif_read(tall, tall.count, &options, &frame, &message)
    }

    #expect(status == .corrupt)
    // Nothing of the test process is at stake before this is certain.
    let isUntouched = pixels[count...].allSatisfy { $0 == 0xAB }
    try #require(isUntouched)
    let error = #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(tall) }
    #expect(error?.kind == "corrupt")
  }
}
