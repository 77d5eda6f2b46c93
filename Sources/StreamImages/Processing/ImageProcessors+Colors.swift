internal import Foundation

extension ImageProcessing where Self == ImageProcessors.Colors {
  /// Changes brightness, contrast and saturation.
  public static func colorControls(
    brightness: Double = 0, contrast: Double = 1, saturation: Double = 1
  ) -> Self {
    Self(
      ColorMatrix.saturation(saturation).then(.contrast(contrast)).then(.brightness(brightness)),
      identifier: ProcessorIdentifier.make(
        "colors", .number(brightness), .number(contrast), .number(saturation)))
  }

  /// Changes the exposure. Each stop doubles the light.
  public static func exposure(stops: Double) -> Self {
    Self(.gain(exp2(stops)), in: .linear, identifier: ProcessorIdentifier.make("exposure", .number(stops)))
  }

  /// Applies a sepia tone.
  public static func sepia(intensity: Double = 1) -> Self {
    Self(.sepia(intensity), identifier: ProcessorIdentifier.make("sepia", .number(intensity)))
  }

  /// Turns the image into shades of one color, gray by default.
  public static func monochrome(
    color: Image.Pixel = Image.Pixel(red: 255, green: 255, blue: 255), intensity: Double = 1
  ) -> Self {
    Self(
      .monochrome(color, intensity: intensity),
      identifier: ProcessorIdentifier.make("monochrome", .color(color), .number(intensity)))
  }

  /// Inverts the colors.
  public static func invert() -> Self { Self(.inversion, identifier: ProcessorIdentifier.make("invert")) }
}

extension ImageProcessors {
  /// Transforms the colors of an image by a matrix.
  public struct Colors: ImageProcessing, Hashable {
    /// The matrix that computes new colors.
    public let matrix: ColorMatrix
    /// Whether encoded or linear values are multiplied. Encoded by default.
    public let light: Image.Light
    public let identifier: String

    /// Creates a processor with a matrix of your own.
    public init(_ matrix: ColorMatrix, in light: Image.Light = .encoded) {
      let rows = [matrix.red, matrix.green, matrix.blue].map { "\($0.red) \($0.green) \($0.blue) \($0.bias)" }
      self.init(
        matrix, in: light,
        identifier: (["matrix"] + rows + (light == .linear ? ["linear"] : [])).joined(separator: " "))
    }

    fileprivate init(_ matrix: ColorMatrix, in light: Image.Light = .encoded, identifier: String) {
      self.matrix = matrix
      self.light = light
      self.identifier = identifier
    }

    public func process(_ image: Image, _ context: ImageProcessingContext) throws -> Image {
      try image.recolored(by: matrix, in: light)
    }
  }
}
