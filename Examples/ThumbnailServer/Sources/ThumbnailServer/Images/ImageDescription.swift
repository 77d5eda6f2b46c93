internal import Foundation
internal import StreamImages

/// What `/info` says about an image.
struct ImageDescription: Encodable {
  var format: String
  /// Of the upright image.
  var width: Int
  var height: Int
  /// That of EXIF, from 1 to 8.
  var orientation: Int
  var byteCount: Int
  var hasAlpha: Bool
  var isAnimated: Bool
  /// `#rrggbb`; absent if the image is transparent.
  var dominantColor: String?
  /// In base64.
  var thumbHash: String

  /// - Parameter small: The image at a small size.
  init(_ data: Data, small: Image) throws(ImageCodecError) {
    let info = try ImageDecoder.info(of: data)
    format = "\(info.format)"
    (width, height) = (info.size.width, info.size.height)
    orientation = info.orientation.rawValue
    byteCount = data.count
    (hasAlpha, isAnimated) = (info.hasAlpha, info.isAnimated)
    dominantColor = try small.dominantColor().map { "#\($0.hex)" }
    thumbHash = Data(try ThumbHash(encoding: small).bytes).base64EncodedString()
  }
}
