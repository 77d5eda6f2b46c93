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
      guard length > 0, length < 1e9 else {
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
