import CCodecs

extension ICCProfile {
  /// Display P3, the wide gamut of many cameras and screens, with the curve of sRGB. `nil` if memory was short.
  public static let displayP3: ICCProfile? = {
    var count = 0
    guard let start = codec_profile_of_primaries([0.680, 0.320, 0.265, 0.690, 0.150, 0.060], &count) else {
      return nil
    }
    defer { codec_free(start) }
    return ICCProfile(bytes: Array(UnsafeBufferPointer(start: start, count: count)))
  }()
}
