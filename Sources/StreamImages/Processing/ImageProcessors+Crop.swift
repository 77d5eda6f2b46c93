public import Foundation

extension ImageProcessing where Self == ImageProcessors.Crop {
  /// Crops the image to a size, without scaling.
  public static func crop(
    size: CGSize, unit: ImageProcessors.Unit = .pixels, anchor: ImageProcessors.Anchor = .center
  ) -> Self {
    Self(size: size, unit: unit, anchor: anchor)
  }

  /// Crops the image to an area, without scaling.
  public static func crop(_ area: CGRect, unit: ImageProcessors.Unit = .pixels) -> Self {
    Self(area, unit: unit)
  }
}

extension ImageProcessors {
  /// A relative position in an image: 0 is left or top, 1 is right or bottom.
  public struct Anchor: Sendable, Hashable {
    /// From 0 at the left edge to 1 at the right edge.
    public var x: Double
    /// From 0 at the top edge to 1 at the bottom edge.
    public var y: Double

    /// Creates an anchor.
    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }

    /// The center.
    public static let center = Anchor(x: 0.5, y: 0.5)
  }

  /// Crops an image to an area. Parts of the area outside of the image are ignored. It fails if nothing is left.
  public struct Crop: ImageProcessing, Hashable {
    private enum Part: Hashable {
      case area(x: Double, y: Double)
      case anchored(Anchor)
    }

    private let part: Part
    private let width: Double
    private let height: Double
    public let identifier: String

    /// Crops to a size. The `anchor` of the image becomes the `anchor` of the result.
    public init(size: CGSize, unit: Unit = .pixels, anchor: Anchor = .center) {
      part = .anchored(anchor)
      width = Double(size.width) * unit.pixels
      height = Double(size.height) * unit.pixels
      identifier = ProcessorIdentifier.make(
        "crop", .number(width), .number(height), "anchor", .number(anchor.x), .number(anchor.y))
    }

    /// Crops to an area, measured from the top left corner.
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
