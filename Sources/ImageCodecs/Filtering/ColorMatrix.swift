/// A color transform: red, green and blue as weighted sums of the original channels.
///
/// ```swift
/// let paler = try image.recolored(by: .saturation(0.5).then(.brightness(0.1)))
/// ```
public struct ColorMatrix: Sendable, Hashable {
  /// The weights of the original channels for one channel, and a constant. 1 is the maximum of a channel.
  public struct Row: Sendable, Hashable {
    /// The weight of red.
    public var red: Double
    /// The weight of green.
    public var green: Double
    /// The weight of blue.
    public var blue: Double
    /// The constant, where 1 is the maximum of a channel.
    public var bias: Double

    /// Creates a row. The constant is 0 by default.
    public init(_ red: Double, _ green: Double, _ blue: Double, bias: Double = 0) {
      (self.red, self.green, self.blue, self.bias) = (red, green, blue, bias)
    }
  }

  /// The row for red.
  public var red: Row
  /// The row for green.
  public var green: Row
  /// The row for blue.
  public var blue: Row

  /// Creates a matrix of three rows.
  public init(red: Row, green: Row, blue: Row) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// Returns a matrix that applies this matrix and then `next`.
  ///
  /// Values are not clamped to 0…1 in between.
  public func then(_ next: ColorMatrix) -> ColorMatrix {
    let combined = { (row: Row) in
      Row(
        row.red * red.red + row.green * green.red + row.blue * blue.red,
        row.red * red.green + row.green * green.green + row.blue * blue.green,
        row.red * red.blue + row.green * green.blue + row.blue * blue.blue,
        bias: row.red * red.bias + row.green * green.bias + row.blue * blue.bias + row.bias)
    }
    return ColorMatrix(red: combined(next.red), green: combined(next.green), blue: combined(next.blue))
  }

  var rows: [Row] { [red, green, blue] }

  /// Whether gray stays gray.
  var keepsGray: Bool {
    let sums = rows.map { $0.red + $0.green + $0.blue }
    return sums.allSatisfy { abs($0 - sums[0]) < 1e-9 } && rows.allSatisfy { $0.bias == red.bias }
  }
}

extension ColorMatrix {
  /// Changes nothing.
  public static let identity = ColorMatrix(red: Row(1, 0, 0), green: Row(0, 1, 0), blue: Row(0, 0, 1))

  /// Inverts the colors.
  public static let inversion = ColorMatrix(
    red: Row(-1, 0, 0, bias: 1), green: Row(0, -1, 0, bias: 1), blue: Row(0, 0, -1, bias: 1))

  /// Adds to all channels: -1 makes black, 0 changes nothing, 1 makes white.
  public static func brightness(_ amount: Double) -> ColorMatrix { scaling(by: 1, adding: amount) }

  /// Scales the distance to middle gray: 0 makes gray, 1 changes nothing.
  public static func contrast(_ factor: Double) -> ColorMatrix {
    scaling(by: factor, adding: (1 - factor) / 2)
  }

  /// Scales the distance to gray of the same luma (Rec. 709): 0 makes gray, 1 changes nothing.
  public static func saturation(_ factor: Double) -> ColorMatrix {
    mixed(identity, factor, Row(0.2126, 0.7152, 0.0722).times(1 - factor))
  }

  /// Multiplies all channels. In ``Image/Light/linear``, a factor of two is one stop of exposure.
  public static func gain(_ factor: Double) -> ColorMatrix { scaling(by: factor, adding: 0) }

  /// Applies a sepia tone. 0 changes nothing, 1 leaves no other color.
  public static func sepia(_ intensity: Double = 1) -> ColorMatrix {
    identity.mixed(
      with: ColorMatrix(
        red: Row(0.393, 0.769, 0.189), green: Row(0.349, 0.686, 0.168), blue: Row(0.272, 0.534, 0.131)),
      intensity)
  }

  /// Shades of one color by luma (Rec. 709). 0 changes nothing, 1 leaves no other color.
  public static func monochrome(_ color: Image.Pixel, intensity: Double = 1) -> ColorMatrix {
    let luma = Row(0.2126, 0.7152, 0.0722)
    return identity.mixed(
      with: ColorMatrix(
        red: luma.times(Double(color.red) / 255), green: luma.times(Double(color.green) / 255),
        blue: luma.times(Double(color.blue) / 255)), intensity)
  }

  private static func scaling(by factor: Double, adding bias: Double) -> ColorMatrix {
    ColorMatrix(
      red: Row(factor, 0, 0, bias: bias), green: Row(0, factor, 0, bias: bias),
      blue: Row(0, 0, factor, bias: bias))
  }

  private static func mixed(_ matrix: ColorMatrix, _ factor: Double, _ row: Row) -> ColorMatrix {
    ColorMatrix(
      red: matrix.red.times(factor).plus(row), green: matrix.green.times(factor).plus(row),
      blue: matrix.blue.times(factor).plus(row))
  }

  private func mixed(with other: ColorMatrix, _ share: Double) -> ColorMatrix {
    ColorMatrix(
      red: red.times(1 - share).plus(other.red.times(share)),
      green: green.times(1 - share).plus(other.green.times(share)),
      blue: blue.times(1 - share).plus(other.blue.times(share)))
  }
}

extension ColorMatrix.Row {
  fileprivate func times(_ factor: Double) -> Self {
    Self(red * factor, green * factor, blue * factor, bias: bias * factor)
  }

  fileprivate func plus(_ other: Self) -> Self {
    Self(red + other.red, green + other.green, blue + other.blue, bias: bias + other.bias)
  }
}
