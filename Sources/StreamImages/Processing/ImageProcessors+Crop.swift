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

extension ImageProcessing where Self == ImageProcessors.Trim {
  /// Cuts off edges of one color.
  public static func trim(tolerance: Double = 0.04) -> Self { Self(tolerance: tolerance) }
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
      self.init(.anchored(anchor), size, unit, "anchor", .number(anchor.x), .number(anchor.y))
    }

    /// Crops to a size. The part is centered on the `focus` of the image, as far as it stays inside.
    public init(size: CGSize, unit: Unit = .pixels, focus: Anchor) {
      self.init(.focused(focus), size, unit, "focus", .number(focus.x), .number(focus.y))
    }

    /// Crops to a size. The part is the one that has most to look at.
    public init(size: CGSize, unit: Unit = .pixels, to interest: Interest) {
      self.init(.interesting(interest), size, unit, "to", .name(interest))
    }

    /// Crops to an area, measured from the top left corner.
    public init(_ area: CGRect, unit: Unit = .pixels) {
      let (x, y) = (Double(area.origin.x) * unit.pixels, Double(area.origin.y) * unit.pixels)
      self.init(.area(x: x, y: y), area.size, unit, "at", .number(x), .number(y))
    }

    private init(
      _ part: Part, _ size: CGSize, _ unit: Unit, _ kind: ProcessorIdentifier.Part,
      _ first: ProcessorIdentifier.Part, _ second: ProcessorIdentifier.Part? = nil
    ) {
      self.part = part
      width = Double(size.width) * unit.pixels
      height = Double(size.height) * unit.pixels
      identifier = ProcessorIdentifier.make("crop", .number(width), .number(height), kind, first, second)
    }

    public func process(_ image: Image, _ context: ImageProcessingContext) throws -> Image {
      let size = PixelSize(width: try side(width), height: try side(height))
      // A size larger than the image begins before it and ends behind it, so that all of it is kept.
      let (x, y) = try origin(of: size, in: image, context)
      return try image.cropped(x: x, y: y, width: size.width, height: size.height)
    }

    /// The top left corner of the part.
    private func origin(
      of size: PixelSize, in image: Image, _ context: ImageProcessingContext
    ) throws(ImageCodecError) -> (x: Int, y: Int) {
      switch part {
      case .area(let x, let y): (try position(x), try position(y))
      case .anchored(let anchor):
        (
          try start(anchor.x, size.width, of: image.width),
          try start(anchor.y, size.height, of: image.height)
        )
      case .focused(let focus):
        (
          try start(around: focus.x, size.width, of: image.width),
          try start(around: focus.y, size.height, of: image.height)
        )
      case .interesting(.attention):
        try image.attentiveOrigin(of: size, isCancelled: context.isCancelled)
      }
    }

    private func side(_ length: Double) throws(ImageCodecError) -> Int {
      guard length > 0, length < 1e9 else { throw .invalidSize("a side of \(length) pixels") }
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

  /// Cuts off rows and columns at the edges of an image that have the color of its top left pixel.
  ///
  /// Transparent pixels have the same color. An image of one color is not changed.
  public struct Trim: ImageProcessing, Hashable {
    /// How much a channel may differ, as a share of its range.
    public let tolerance: Double
    public let identifier: String

    /// Creates a processor that trims. It fails unless `tolerance` is from 0 to 1.
    public init(tolerance: Double = 0.04) {
      self.tolerance = tolerance
      identifier = ProcessorIdentifier.make("trim", .number(tolerance))
    }

    public func process(_ image: Image, _ context: ImageProcessingContext) throws -> Image {
      try image.trimmed(tolerance: tolerance)
    }
  }

  /// A relative position in an image: 0 is left or top, 1 is right or bottom. Other libraries call it gravity.
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
    /// A corner.
    public static let topLeft = Anchor(x: 0, y: 0)
    /// The middle of the upper edge.
    public static let top = Anchor(x: 0.5, y: 0)
    /// A corner.
    public static let topRight = Anchor(x: 1, y: 0)
    /// The middle of the left edge.
    public static let left = Anchor(x: 0, y: 0.5)
    /// The middle of the right edge.
    public static let right = Anchor(x: 1, y: 0.5)
    /// A corner.
    public static let bottomLeft = Anchor(x: 0, y: 1)
    /// The middle of the lower edge.
    public static let bottom = Anchor(x: 0.5, y: 1)
    /// A corner.
    public static let bottomRight = Anchor(x: 1, y: 1)
  }

  /// What is kept when an image is cropped without a position.
  public enum Interest: String, Sendable, Hashable {
    /// Edges, saturated colors and colors of skin. See `Image.attentiveOrigin(of:isCancelled:)`.
    case attention
  }
}
