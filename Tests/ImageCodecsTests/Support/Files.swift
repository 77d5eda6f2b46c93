import Foundation
import ImageCodecs
import Testing

/// The files beside these tests; `Files/make` says where they come from.
enum Files {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Files")

  static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
  }

  /// The smallest file of a format, by its extension.
  static func smallest(_ format: ImageFormat) throws -> [UInt8] {
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { ImageFormat(fileExtension: $0.pathExtension) == format }
      .map { [UInt8](try Data(contentsOf: $0)) }
    return try #require(files.min { $0.count < $1.count }, "Files has no \(format)")
  }

  /// A PNG of 512 × 512 pixels, of which the files show a part.
  static func photograph() throws -> [UInt8] {
    let root = folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return [UInt8](
      try Data(contentsOf: root.appendingPathComponent("Examples/ChainedLoad/Photographs/astronaut.png")))
  }

  static func image(_ name: String, _ options: DecodingOptions = DecodingOptions()) throws -> Image {
    try ImageDecoder.decode(bytes(name), options: options)
  }
}

extension DecodingOptions {
  /// Colors as the file has them.
  static var asStored: DecodingOptions { DecodingOptions(colors: .asStored) }
}

extension Image {
  /// What is seen of the image on white paper, in three channels.
  func onPaper() throws -> Image {
    try Samples.flat(width, height, [255, 255, 255]).blended(with: self)
  }

  /// How close two images look, in decibels, whatever their formats.
  func visibleLikeness(to other: Image) throws -> Double { try onPaper().likeness(to: other.onPaper()) }
}
