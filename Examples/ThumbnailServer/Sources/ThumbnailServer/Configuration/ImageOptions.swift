internal import ArgumentParser
internal import Foundation
internal import StreamImages

struct ImageOptions: ParsableArguments {
  @Option(help: "The formats for clients that name them in Accept, the favorite first: webp, avif.")
  var formats: [ThumbnailFormat] = [.webp]

  @Option(help: "The quality of a format, such as avif=50.")
  var quality: [String] = []

  @Option(help: "An image that clients can put over thumbnails by the option wm.")
  var watermark: String?

  @Option(help: "Where the watermark is: center, top, bottom-right …")
  var watermarkPosition = "bottom-right"

  @Option(help: "The width of the watermark as a share of that of the thumbnail; by default its own.")
  var watermarkScale: Double?

  @Option(help: "The distance of the watermark from the edges, in pixels.")
  var watermarkMargin = 0.0

  @Option(help: "An image for those that are missing, damaged, or not reachable.")
  var fallback: String?

  @Option(help: "The status of answers with that image; by default that of the refusal.")
  var fallbackStatus: Int?

  @Flag(help: "Decodes images in this process, which an image that attacks a decoder can then take over.")
  var withoutIsolation = false

  func validate() throws {
    guard ImageProcessors.Anchor(named: watermarkPosition) != nil else {
      throw ValidationError("\(watermarkPosition) is not a position.")
    }
    if let watermarkScale, !(0.001...1).contains(watermarkScale) {
      throw ValidationError("The scale of a watermark is from 0.001 to 1.")
    }
    guard (0...65_535).contains(watermarkMargin) else {
      throw ValidationError("A margin has 0 to 65535 pixels.")
    }
    // The last three have no body.
    if let fallbackStatus,
      !(200...599).contains(fallbackStatus) || [204, 205, 304].contains(fallbackStatus)
    {
      throw ValidationError("\(fallbackStatus) is not a status of an image.")
    }
  }

  func apply(to settings: inout Thumbnails.Settings) throws {
    if withoutIsolation { settings.isolation = DecodingIsolation.none }
    settings.formats = formats
    for quality in quality {
      let parts = quality.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let format = ThumbnailFormat(rawValue: String(parts[0])),
        let percent = Int(parts[1]), (1...100).contains(percent)
      else { throw ValidationError("\(quality) is not a quality of a format.") }
      settings.qualities[format] = Double(percent) / 100
    }
    if let watermark {
      do {
        var mark = Thumbnails.Mark(try ImageDecoder.decode(try Self.data(watermark)))
        mark.anchor = ImageProcessors.Anchor(named: watermarkPosition) ?? .bottomRight
        (mark.scale, mark.margin) = (watermarkScale, watermarkMargin)
        settings.watermark = mark
      } catch let error as ImageCodecError {
        throw ValidationError("\(watermark) is not an image: \(error.code)")
      }
    }
    if let fallback {
      settings.fallback = Thumbnails.Fallback(try Self.data(fallback), status: fallbackStatus)
    }
  }

  private static func data(_ path: String) throws -> Data {
    guard let data = try? Data(contentsOf: URL(filePath: path)) else {
      throw ValidationError("\(path) cannot be read.")
    }
    return data
  }
}

extension ThumbnailFormat: ExpressibleByArgument {}
