import CCodecs

extension ICCProfile {
  /// Display P3, the wide gamut of many cameras and screens, with the curve of sRGB. `nil` if memory was short.
  public static let displayP3: ICCProfile? = withPrimaries([0.680, 0.320, 0.265, 0.690, 0.150, 0.060])

  /// sRGB, for files that have no other way to name it. `nil` if memory was short.
  public static let sRGB: ICCProfile? = withPrimaries([0.640, 0.330, 0.300, 0.600, 0.150, 0.060])

  /// The primaries of ultra-high-definition television (ITU-R BT.2020), with the curve of sRGB. `nil` if memory was short.
  static let bt2020: ICCProfile? = withPrimaries([0.708, 0.292, 0.170, 0.797, 0.131, 0.046])

  /// The x and y of red, green and blue.
  private static func withPrimaries(_ primaries: [Double]) -> ICCProfile? {
    var count = 0
    guard let start = codec_profile_of_primaries(primaries, &count) else { return nil }
    defer { codec_free(start) }
    return ICCProfile(bytes: Array(UnsafeBufferPointer(start: start, count: count)))
  }
}
