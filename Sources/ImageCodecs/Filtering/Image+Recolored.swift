import CCodecs

extension Image {
  /// The image with new colors. Alpha stays; gray stays gray if the matrix leaves it gray.
  ///
  /// Results are cut to what can be stored. Throws ``ImageCodecError/invalidSetting(_:)`` for entries that are
  /// not finite.
  public func recolored(
    by matrix: ColorMatrix, in light: Light = .encoded
  ) throws(ImageCodecError) -> Image {
    let entries = matrix.rows.flatMap { [$0.red, $0.green, $0.blue, $0.bias].map(Float.init) }
    guard entries.allSatisfy(\.isFinite) else { throw .invalidSetting("a color matrix that is not finite") }
    if matrix == .identity { return self }
    let image = matrix.keepsGray ? try reducedTo8Bits() : try colored()
    return try image.changed { pixels, pixelCount in
      codec_apply_matrix(
        pixels, pixelCount, image.pixelFormat.bytesPerPixel, entries, light == .linear)
    }
  }

  /// The image with every color channel x, from 0 to 1, replaced by x to the power of `gamma`.
  public func recolored(gamma: Double) throws(ImageCodecError) -> Image {
    guard gamma.isFinite, gamma > 0 else { throw .invalidSetting("a gamma of \(gamma)") }
    var table = [UInt8](repeating: 0, count: 256)
    codec_gamma_table(Float(gamma), &table)
    let image = try reducedTo8Bits()
    return try image.changed { pixels, pixelCount in
      codec_apply_table(pixels, pixelCount, image.pixelFormat.bytesPerPixel, table)
    }
  }

  /// The image darkened towards its corners.
  ///
  /// - Parameters:
  ///   - start: Where darkening begins, as a share of the way from the middle to a corner.
  ///   - amount: How much of the light is gone in the corners, from 0 to 1.
  public func vignetted(start: Double, amount: Double) throws(ImageCodecError) -> Image {
    guard (0...1).contains(start), (0...1).contains(amount) else {
      throw .invalidSetting("a vignette from \(start) by \(amount)")
    }
    let image = try reducedTo8Bits()
    return try image.changed { pixels, _ in
      codec_vignette(pixels, width, height, image.pixelFormat.bytesPerPixel, Float(start), Float(amount))
    }
  }
}
