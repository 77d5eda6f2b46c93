extension Image {
  /// What the numbers of the pixels mean. A label: no operation of this module converts colors.
  ///
  /// A decoder keeps the profile of a file here when it is well formed, within limits and made for the kind
  /// of pixels that came out; it drops it otherwise, which is never an error. An encoder writes it out again.
  public enum ColorSpace: Sendable, Hashable, CustomStringConvertible {
    /// Said to be sRGB.
    case sRGB
    /// The file says nothing. Treat it as sRGB.
    case untagged
    /// Described by the profile that came with them.
    case profile(ICCProfile)

    public var description: String {
      switch self {
      case .sRGB: "sRGB"
      case .untagged: "untagged"
      case .profile(let profile): "profile of \(profile.bytes.count) bytes"
      }
    }

    package var profile: ICCProfile? {
      if case .profile(let profile) = self { profile } else { nil }
    }
  }
}

/// A color profile as it stands in a file.
///
/// Only the frame is checked: its size field, its signature, what kind of pixels it is for.
public struct ICCProfile: Sendable, Hashable {
  /// All of it, header included.
  public let bytes: [UInt8]

  /// Nil when the bytes are no profile.
  public init?(bytes: [UInt8]) {
    guard bytes.count >= ICCProfile.headerLength, bytes[36..<40].elementsEqual("acsp".utf8) else {
      return nil
    }
    let size = bytes[0..<4].reduce(0) { $0 << 8 | Int($1) }
    guard size == bytes.count else { return nil }
    self.bytes = bytes
  }

  private static let headerLength = 128

  /// Whether it describes pixels of this kind. One for inks does not describe what they were turned into.
  package func describes(_ pixelFormat: Image.PixelFormat) -> Bool {
    bytes[16..<20].elementsEqual(pixelFormat.isGray ? "GRAY".utf8 : "RGB ".utf8)
  }
}

extension Image.ColorSpace {
  /// The label for pixels that came with `profile`.
  package static func label(
    profile: [UInt8]?, pixelFormat: Image.PixelFormat, otherwise: Image.ColorSpace
  ) -> Image.ColorSpace {
    guard let profile, let parsed = ICCProfile(bytes: profile), parsed.describes(pixelFormat) else {
      return otherwise
    }
    return .profile(parsed)
  }
}
