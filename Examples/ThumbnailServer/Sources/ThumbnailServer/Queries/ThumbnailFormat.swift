internal import Foundation
internal import StreamImages

/// A format that thumbnails can have.
package enum ThumbnailFormat: String, CaseIterable, Sendable {
  case webp, avif, jpeg, png

  /// From 0 to 1. PNG has none.
  var usualQuality: Double { self == .avif ? 0.6 : 0.8 }

  func encoding(quality: Double) -> ImageEncoder.Encoding {
    switch self {
    // Half the time of the usual effort, for files that are 2 % larger.
    case .webp: .webp(quality: quality, effort: 2)
    case .avif: .avif(quality: quality)
    case .jpeg: .jpeg(quality: quality)
    case .png: .png
    }
  }

  /// The format that the client likes best; of several, the first of `formats`. Without one, JPEG suits an opaque image, and PNG
  /// a transparent one.
  ///
  /// Only names count: browsers send `*/*`, also those that cannot show WebP.
  package static func best(of formats: [ThumbnailFormat], accept: String?) -> ThumbnailFormat? {
    guard let accept else { return nil }
    var best: (format: ThumbnailFormat, quality: Double)?
    for format in formats {
      guard let quality = quality(of: "image/\(format.rawValue)", in: accept), quality > 0 else { continue }
      if quality > best?.quality ?? 0 { best = (format, quality) }
    }
    return best?.format
  }

  private static func quality(of type: String, in accept: String) -> Double? {
    for range in accept.split(separator: ",") {
      let parts = range.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
      guard parts.first == type else { continue }
      let weight = parts.dropFirst().first { $0.hasPrefix("q=") }
      return weight.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
    }
    return nil
  }
}
