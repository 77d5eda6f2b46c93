extension Image {
  /// The color space of the pixels. It is a label: only decoders, ``convertedToSRGB(isCancelled:)`` and
  /// ``collage(images:size:limits:isCancelled:)`` convert colors to another one.
  ///
  /// With ``DecodingOptions/Colors/asStored``, a decoder keeps the profile of a still image if it is well-formed, within
  /// limits, and made for this kind of pixels. That of gray is applied to pixels that become RGB. Otherwise it drops the profile,
  /// which is not an error.
  public enum ColorSpace: Sendable, Hashable, CustomStringConvertible {
    /// Labelled as sRGB.
    case sRGB
    /// Not labelled. Treat it as sRGB.
    case untagged
    /// Described by a profile.
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

/// An ICC color profile, as stored in a file.
///
/// Only its frame is checked: the size field and the signature.
public struct ICCProfile: Sendable, Hashable {
  /// The whole profile, including its header.
  public let bytes: [UInt8]

  /// `nil` if the bytes are not a profile.
  public init?(bytes: [UInt8]) {
    guard bytes.count >= ICCProfile.headerLength, bytes[36..<40].elementsEqual("acsp".utf8) else {
      return nil
    }
    let size = bytes[0..<4].reduce(0) { $0 << 8 | Int($1) }
    guard size == bytes.count else { return nil }
    self.bytes = bytes
  }

  private static let headerLength = 128

  /// Whether it describes this kind of pixels. A profile for inks does not describe the converted pixels.
  package func describes(_ pixelFormat: Image.PixelFormat) -> Bool {
    bytes[16..<20].elementsEqual(pixelFormat.isGray ? "GRAY".utf8 : "RGB ".utf8)
  }
}

extension ICCProfile {
  /// The profile of pixels that a file has as gray, and that are decoded as RGB; `nil` if it is none, or they stay gray.
  static func ofGray(_ bytes: [UInt8]?, _ pixelFormat: Image.PixelFormat) -> ICCProfile? {
    guard !pixelFormat.isGray, let profile = bytes.flatMap({ ICCProfile(bytes: $0) }),
      profile.describes(.gray8)
    else { return nil }
    return profile
  }
}

extension Image.ColorSpace {
  /// The label of pixels with `profile`.
  package static func label(
    profile: [UInt8]?, pixelFormat: Image.PixelFormat, otherwise: Image.ColorSpace
  ) -> Image.ColorSpace {
    guard let profile, let parsed = ICCProfile(bytes: profile), parsed.describes(pixelFormat) else {
      return otherwise
    }
    return .profile(parsed)
  }
}
