import ImageCodecs
import Testing

/// What each format needs. A new one is tested here as soon as `Files` has a file of it.
@Suite("Decoded formats")
struct DecodedFormatTests {
  static let formats = ImageFormat.allCases.filter(ImageDecoder.formats.contains)

  private let strict: DecodingOptions = {
    var options = DecodingOptions()
    options.limits.incomplete = .refuse
    return options
  }()

  @Test("No two formats share a file extension or a MIME type")
  func names() {
    #expect(Set(ImageFormat.allCases.map(\.fileExtension)).count == ImageFormat.allCases.count)
    #expect(Set(ImageFormat.allCases.map(\.mimeType)).count == ImageFormat.allCases.count)
  }

  @Test("The first bytes of a file, and nothing else, decide its format", arguments: formats)
  func signature(format: ImageFormat) throws {
    let file = try Files.smallest(format)

    #expect(ImageFormat(sniffing: file) == format)
    #expect(ImageFormat(sniffing: [UInt8](repeating: 0, count: 12) + file.dropFirst(12)) == nil)
  }

  @Test("The header describes the pixels", arguments: formats)
  func header(format: ImageFormat) throws {
    let file = try Files.smallest(format)
    let info = try ImageDecoder.info(of: file)
    let image = try ImageDecoder.decode(file)

    #expect(info.format == format)
    #expect(info.size == image.size)
    #expect(info.hasAlpha || !image.pixelFormat.hasAlpha)
  }

  @Test("Decoding costs at least the pixels, also if they are reduced", arguments: formats)
  func cost(format: ImageFormat) throws {
    let file = try Files.smallest(format)
    let half = DecodingOptions(target: .fitting(Double(try ImageDecoder.info(of: file).size.width / 2)))

    #expect(try ImageDecoder.byteCost(of: file) >= ImageDecoder.decode(file).byteCount)
    #expect(
      try ImageDecoder.byteCost(of: file, options: half)
        >= ImageDecoder.decode(file, options: half).byteCount)
  }

  @Test("A truncated file decodes only if it lacks nothing that a pixel needs", arguments: formats)
  func truncated(format: ImageFormat) throws {
    let file = try Files.smallest(format)
    let image = try ImageDecoder.decode(file)
    var errors: [ImageCodecError] = []

    let ends = stride(from: 16, to: file.count - 8, by: max(file.count / 500, 1))
    for end in Array(ends) + (file.count - 8..<file.count) {
      do throws(ImageCodecError) {
        #expect(
          try ImageDecoder.decode(file.prefix(end), options: strict) == image, "\(end) of \(file.count)")
      } catch {
        errors.append(error)
      }
    }

    #expect(errors.count >= Array(ends).count)
    // A part of a box or of a chunk may look damaged.
    #expect(errors.filter { $0 != .truncated }.count <= 2, "\(errors)")
  }

  @Test("Decoding stays within the limits, or the error names one", arguments: formats)
  func limits(format: ImageFormat) throws {
    let file = try Files.smallest(format)
    let size = try ImageDecoder.info(of: file).storedSize
    var options = DecodingOptions()
    options.limits.maximumPixels = size.width * size.height - 1

    #expect(
      throws: ImageCodecError.tooLarge(
        width: size.width, height: size.height, limit: .pixels(options.limits.maximumPixels))
    ) { try ImageDecoder.decode(file, options: options) }
  }

  @Test("Decoding can be cancelled", arguments: formats)
  func cancelled(format: ImageFormat) throws {
    let file = try Files.smallest(format)
    var questions = 0

    #expect(throws: ImageCodecError.cancelled) {
      try ImageDecoder.decode(file) {
        questions += 1
        return questions == 3
      }
    }
  }

  #if os(Linux)
    @Test("A worker process, which may not open files, decodes each format", arguments: formats)
    func isolated(format: ImageFormat) throws {
      let file = try Files.smallest(format)

      #expect(try IsolatedImageDecoder().decode(file) == ImageDecoder.decode(file))
    }
  #endif
}
