import Foundation
import StreamImages
import Testing

@Suite("`ImageDecoders.Default`")
struct DecoderTests {
  private let context = ImageDecodingContext(request: "https://a/b")

  @Test("Wide colors are converted to sRGB, unless the decoder keeps them")
  func colors() throws {
    var image = try Pictures.gradient(16, 16)
    image.colorSpace = .profile(try #require(ICCProfile.displayP3))
    let data = Data(try ImageEncoder.encode(image, as: .png))

    let converted = try ImageDecoders.Default().decode(data, context)
    let kept = try ImageDecoders.Default(colors: .asStored).decode(data, context)

    #expect(converted.colorSpace == .sRGB && kept == image)
    #expect(converted.pixel(x: 9, y: 5) != image.pixel(x: 9, y: 5))
  }

  @Test(
    "The decoder decodes every format that it lists and can encode",
    arguments: ImageDecoder.formats.sorted { $0.rawValue < $1.rawValue })
  func formats(format: ImageFormat) throws {
    let image = try Pictures.gradient(32, 24)
    let encodings: [ImageEncoder.Encoding] = [.jpeg(), .png, .webp(), .avif(), .heic(), .jpegXL()]
    guard let encoding = encodings.first(where: { $0.format == format }) else {
      #expect([.gif, .bmp, .ico, .tiff].contains(format))
      return
    }

    let encoded = Result { try ImageEncoder.encode(image, as: encoding) }
    // `MissingCodecTests` reports that it is skipped.
    if format == .heic, case .failure(ImageCodecError.missingLibrary) = encoded { return }
    let data = Data(try encoded.get())

    #expect(ImageDecoders.Default().canDecode(data))
    #expect(try ImageDecoders.Default().decode(data, context).size == image.size)
  }

  @Test("The decoder converts to eight bits in sRGB without a gain map, unless it keeps them")
  func defaults() throws {
    let usual = ImageDecoders.Default()
    #expect(usual.colors == .sRGB && !usual.keepsDepth && !usual.keepsGainMap)
    let own = ImageDecoders.Default(colors: .asStored, keepsDepth: true, keepsGainMap: true)
    #expect(own.colors == .asStored && own.keepsDepth && own.keepsGainMap)

    let deep = Data(try ImageEncoder.encode(Image(width: 8, height: 8, pixelFormat: .rgba16), as: .png))
    #expect(try usual.decode(deep, context).pixelFormat.bitsPerChannel == 8)
    #expect(try own.decode(deep, context).pixelFormat.bitsPerChannel == 16)
  }

  @Test(
    "The decoder rejects bytes that are not an image",
    arguments: ["", "G", "<!DOCTYPE html><p>404</p>", "GIF87 and more"])
  func noImage(_ text: String) {
    #expect(!ImageDecoders.Default().canDecode(Data(text.utf8)))
  }
}
