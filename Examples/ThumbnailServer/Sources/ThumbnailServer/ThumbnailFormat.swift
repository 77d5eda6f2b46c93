internal import Foundation
internal import StreamImages

/// A format for clients that say that they can show it. All others get JPEG, or PNG if the image is transparent.
package enum ThumbnailFormat: String, CaseIterable, Sendable {
  case webp, avif

  var encoding: ImageEncoder.Encoding {
    switch self {
    // Half the time of the usual effort, for files that are 2 % larger.
    case .webp: .webp(quality: 0.8, effort: 2)
    case .avif: .avif(quality: 0.6)
    }
  }

  /// The format that the client likes best; of several, the first of `formats`.
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
