import CCodecs

extension Image {
  /// Returns the image with transformed colors. Alpha is kept. Gray stays gray if the matrix keeps it gray.
  ///
  /// Results are clamped. Throws ``ImageCodecError/invalidSetting(_:)`` for entries that are not finite as `Float`.
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

  /// Returns the image with every color channel x, from 0 to 1, replaced by x to the power of `gamma`.
  public func recolored(gamma: Double) throws(ImageCodecError) -> Image {
    guard gamma.isFinite, gamma > 0 else { throw .invalidSetting("a gamma of \(gamma)") }
    var table = [UInt8](repeating: 0, count: 256)
    codec_gamma_table(Float(gamma), &table)
    let image = try reducedTo8Bits()
    return try image.changed { pixels, pixelCount in
      codec_apply_table(pixels, pixelCount, image.pixelFormat.bytesPerPixel, table)
    }
  }

  /// Returns the image with darkened corners.
  ///
  /// - Parameters:
  ///   - start: Where darkening begins, as a share of the distance from the center to a corner, from 0 to 1.
  ///   - amount: The share by which values are reduced in the corners, from 0 to 1.
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
