import CGTK
import StreamImages
import StreamsGTK
import Testing

/// Textures need no display.
@Suite("A texture of an image")
struct ImageTextureTests {
  static let formats: [Image.PixelFormat] = [.rgb8, .rgba8, .rgb16, .rgba16]

  @Test("has its pixels", arguments: Image.PixelFormat.allCases)
  func pixels(format: Image.PixelFormat) throws {
    let image = try Image.pattern(width: 7, height: 5, format)

    let texture = try ImageTexture(image)

    let shown = try texture.pixels()
    for (x, y) in [(0, 0), (6, 0), (3, 2), (6, 4)] {
      #expect(shown.pixel(x: x, y: y) == image.pixel(x: x, y: y))
    }
  }

  @Test("reads the image's own memory", arguments: formats)
  func sharing(format: Image.PixelFormat) throws {
    let image = try Image.pattern(width: 64, height: 48, format)

    let bytes = image.sharedBytes()
    defer { g_bytes_unref(bytes) }

    var count = gsize(0)
    #expect(g_bytes_get_data(bytes, &count) == image.withUnsafeBytes { $0.baseAddress })
    #expect(count == image.byteCount)
  }

  @Test("stays as it is when a copy of the image is written to, and when the image is gone")
  func writing() throws {
    var image: Image? = try Image.pattern(width: 7, height: 5, .rgb8)
    let first = image!.pixel(x: 0, y: 0)
    let texture = try ImageTexture(image!)

    _ = try image!.withUnsafeMutableBytes { bytes in bytes.initializeMemory(as: UInt8.self, repeating: 0) }
    image = nil

    #expect(try texture.pixels().pixel(x: 0, y: 0) == first)
  }

  @Test("lets go of the pixels with the last reference to it, GTK's included")
  func release() throws {
    final class Owner: Sendable {}
    var texture: ImageTexture? = try ImageTexture(try Image.pattern(width: 7, height: 5, .rgb8))
    let kept = texture!.pointer
    g_object_ref(UnsafeMutableRawPointer(kept))
    texture = nil

    #expect(gdk_texture_get_width(kept) == 7)
    g_object_unref(UnsafeMutableRawPointer(kept))
  }
}

extension ImageTexture {
  /// What it shows, as GTK reads it.
  func pixels() throws -> Image {
    let (width, height) = (Int(gdk_texture_get_width(pointer)), Int(gdk_texture_get_height(pointer)))
    var image = try Image(width: width, height: height, pixelFormat: .rgba8)
    // In the order of the machine: blue, green, red, alpha.
    try image.withUnsafeMutableBytes { bytes in
      gdk_texture_download(pointer, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), gsize(width * 4))
      for index in stride(from: 0, to: bytes.count, by: 4) { bytes.swapAt(index, index + 2) }
    }
    return image
  }
}

extension Image {
  /// Opaque, and no two pixels alike.
  static func pattern(width: Int, height: Int, _ format: PixelFormat) throws -> Image {
    var image = try Image(width: width, height: height, pixelFormat: format)
    let (channels, size) = (format.channelCount, format.bitsPerChannel / 8)
    try image.withUnsafeMutableBytes { bytes in
      for index in 0..<width * height * channels {
        let value = channels == 4 && index % 4 == 3 ? 255 : UInt8(index * 37 % 256)
        for byte in 0..<size { bytes[index * size + byte] = value }
      }
    }
    return image
  }
}
