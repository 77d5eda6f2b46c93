/// What an encoded image keeps of the metadata of the file that it was decoded from.
///
/// Nothing is kept by default but the profile of ``Image/colorSpace``. A set without ``location`` has no position by satellite, in
/// Exif or in XMP.
public struct KeptMetadata: OptionSet, Sendable, Hashable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Nothing.
  public static let none: KeptMetadata = []

  /// The color space of the pixels, even if it is sRGB, which files leave out otherwise. Gray images have no profile of sRGB. The
  /// profile of the original file is never written, because pixels may have been converted.
  public static let color = KeptMetadata(rawValue: 1)

  /// Creators, copyright, terms, credit, source, and how the image was made.
  public static let copyright = KeptMetadata(rawValue: 2)

  /// Descriptions, dates, camera, exposure, and everything else that still applies to the written image, except positions.
  public static let descriptions = KeptMetadata(rawValue: 4)

  /// The position by satellite, in Exif and in XMP.
  public static let location = KeptMetadata(rawValue: 8)

  /// Everything that still applies to the written image, except positions. Use `[.all, .location]` to keep those too.
  public static let all: KeptMetadata = [.color, .copyright, .descriptions]
}

extension KeptMetadata: CustomStringConvertible {
  public var description: String {
    let names: [(KeptMetadata, String)] = [
      (.color, "color"), (.copyright, "copyright"), (.descriptions, "descriptions"), (.location, "location"),
    ]
    return "[\(names.filter { contains($0.0) }.map(\.1).joined(separator: " "))]"
  }

  /// Whether the file has to be read for it.
  package var readsFile: Bool { !isDisjoint(with: [.copyright, .descriptions, .location]) }
}
