public import Foundation

extension ImageProcessing where Self == ImageProcessors.Crop {
  /// Crops the image to a size, without scaling.
  public static func crop(
    size: CGSize, unit: ImageProcessors.Unit = .pixels, anchor: ImageProcessors.Anchor = .center
  ) -> Self {
    Self(size: size, unit: unit, anchor: anchor)
  }

  /// Crops the image to a size, without scaling. A position in the image stays visible.
  public static func crop(
    size: CGSize, unit: ImageProcessors.Unit = .pixels, focus: ImageProcessors.Anchor
  ) -> Self {
    Self(size: size, unit: unit, focus: focus)
  }

  /// Crops the image to a size, without scaling. Where there is most to look at stays visible.
  public static func crop(
    size: CGSize, unit: ImageProcessors.Unit = .pixels, to interest: ImageProcessors.Interest
  ) -> Self {
    Self(size: size, unit: unit, to: interest)
  }

  /// Crops the image to an area, without scaling.
  public static func crop(_ area: CGRect, unit: ImageProcessors.Unit = .pixels) -> Self {
    Self(area, unit: unit)
  }
}

extension ImageProcessors {
  /// Crops an image to an area. Parts of the area outside of the image are ignored. It fails if nothing is left.
  public struct Crop: ImageProcessing, Hashable {
    private enum Part: Hashable {
      case area(x: Double, y: Double)
      case anchored(Anchor)
      case focused(Anchor)
      case interesting(Interest)
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

    /// Crops to a size. The part is centered on the `focus` of the image, as far as it stays inside.
    public init(size: CGSize, unit: Unit = .pixels, focus: Anchor) {
      part = .focused(focus)
      width = Double(size.width) * unit.pixels
      height = Double(size.height) * unit.pixels
      identifier = ProcessorIdentifier.make(
        "crop", .number(width), .number(height), "focus", .number(focus.x), .number(focus.y))
    }

    /// Crops to a size. The part is the one that has most to look at.
    public init(size: CGSize, unit: Unit = .pixels, to interest: Interest) {
      part = .interesting(interest)
      width = Double(size.width) * unit.pixels
      height = Double(size.height) * unit.pixels
      identifier = ProcessorIdentifier.make("crop", .number(width), .number(height), "to", .name(interest))
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
      case .focused(let focus):
        let (width, height) = (min(width, image.width), min(height, image.height))
        return try image.cropped(
          x: start(around: focus.x, width, of: image.width),
          y: start(around: focus.y, height, of: image.height), width: width, height: height)
      case .interesting(.attention):
        let size = PixelSize(width: min(width, image.width), height: min(height, image.height))
        let origin = try image.attentiveOrigin(of: size, isCancelled: context.isCancelled)
        return try image.cropped(x: origin.x, y: origin.y, width: size.width, height: size.height)
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

    private func start(
      around share: Double, _ part: Int, of whole: Int
    ) throws(ImageCodecError) -> Int {
      guard (0...1).contains(share) else { throw .invalidSetting("a focus at \(share)") }
      return min(max(Int((Double(whole) * share - Double(part) / 2).rounded()), 0), whole - part)
    }
  }
}
