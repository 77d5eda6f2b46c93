public import Foundation

extension ImageProcessing where Self == ImageProcessors.Crop {
  /// Cuts the picture to a size, without scaling it.
  public static func crop(
    size: CGSize, unit: ImageProcessors.Unit = .pixels, anchor: ImageProcessors.Anchor = .center
  ) -> Self {
    Self(size: size, unit: unit, anchor: anchor)
  }

  /// Cuts an area out of the picture, without scaling it.
  public static func crop(_ area: CGRect, unit: ImageProcessors.Unit = .pixels) -> Self {
    Self(area, unit: unit)
  }
}

extension ImageProcessors {
  /// A point of a picture, from 0 at its left and upper edge to 1 at the others.
  public struct Anchor: Sendable, Hashable {
    /// From 0 at the left edge to 1 at the right.
    public var x: Double
    /// From 0 at the upper edge to 1 at the lower.
    public var y: Double

    /// A place in a picture: 0 is left or top, 1 is right or bottom.
    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }

    /// The middle.
    public static let center = Anchor(x: 0.5, y: 0.5)
  }

  /// Cuts a part out of a picture. What of the part lies outside of the picture is left out.
  public struct Crop: ImageProcessing, Hashable {
    private enum Part: Hashable {
      case area(x: Double, y: Double)
      case anchored(Anchor)
    }

    private let part: Part
    private let width: Double
    private let height: Double
    public let identifier: String

    /// Cuts out what fits this size: `anchor` of the picture becomes `anchor` of the part.
    public init(size: CGSize, unit: Unit = .pixels, anchor: Anchor = .center) {
      part = .anchored(anchor)
      width = Double(size.width) * unit.pixels
      height = Double(size.height) * unit.pixels
      identifier = ProcessorIdentifier.make(
        "crop", .number(width), .number(height), "anchor", .number(anchor.x), .number(anchor.y))
    }

    /// Cuts out this area, measured from the left upper corner.
    public init(_ area: CGRect, unit: Unit = .pixels) {
      let (x, y) = (Double(area.origin.x) * unit.pixels, Double(area.origin.y) * unit.pixels)
      part = .area(x: x, y: y)
      width = Double(area.size.width) * unit.pixels
      height = Double(area.size.height) * unit.pixels
      identifier = ProcessorIdentifier.make(
        "crop", .number(width), .number(height), "at", .number(x), .number(y))
    }

    public func process(_ image: Image, _ context: ImageProcessingContext) throws -> Image {
      let width = try side(width)
      let height = try side(height)
      switch part {
      case .area(let x, let y):
        return try image.cropped(x: position(x), y: position(y), width: width, height: height)
      case .anchored(let anchor):
        return try image.cropped(
          x: start(anchor.x, min(width, image.width), of: image.width),
          y: start(anchor.y, min(height, image.height), of: image.height), width: min(width, image.width),
          height: min(height, image.height))
      }
    }

    private func side(_ length: Double) throws(ImageCodecError) -> Int {
      guard length.isFinite, length > 0, length < 1e9 else {
        throw .invalidSize("a side of \(length) pixels")
      }
      return max(Int(length.rounded()), 1)
    }

    private func position(_ place: Double) throws(ImageCodecError) -> Int {
      guard abs(place) < 1e9 else { throw .invalidSize("a corner at \(place)") }
      return Int(place.rounded())
    }

    private func start(_ share: Double, _ part: Int, of whole: Int) throws(ImageCodecError) -> Int {
      guard (0...1).contains(share) else { throw .invalidSetting("an anchor at \(share)") }
      return Int((Double(whole - part) * share).rounded())
    }
  }
}
