/// A part of an image, and the size it is resized to.
package struct ResizePlan: Sendable, Hashable {
  /// The part of the source that is used, in its pixels.
  package var left: Double
  package var top: Double
  package var width: Double
  package var height: Double

  package var source: PixelSize
  package var size: PixelSize
  package var light = Image.Light.encoded

  package init(unchanged source: PixelSize) {
    (left, top, width, height) = (0, 0, Double(source.width), Double(source.height))
    (self.source, size) = (source, source)
  }

  package var changesNothing: Bool {
    size == source && left == 0 && top == 0 && width == Double(source.width)
      && height == Double(source.height)
  }

  /// The same plan for a source whose sides were multiplied by a factor and rounded up.
  package func scaled(across: Double, down: Double, to reduced: PixelSize) -> ResizePlan {
    var plan = self
    plan.source = reduced
    plan.left = left * across
    plan.top = top * down
    plan.width = min(width * across, Double(reduced.width) - plan.left)
    plan.height = min(height * down, Double(reduced.height) - plan.top)
    return plan
  }

  /// The same plan for a source that was stretched to `reduced`.
  package func stretched(to reduced: PixelSize) -> ResizePlan {
    scaled(
      across: Double(reduced.width) / Double(source.width),
      down: Double(reduced.height) / Double(source.height), to: reduced)
  }

  package var scale: Double { max(Double(size.width) / width, Double(size.height) / height) }
}

extension ResizeTarget {
  private static let maximumSide = 65_535.0

  /// Computes the geometry without reading pixels.
  package func plan(for source: PixelSize) throws(ImageCodecError) -> ResizePlan {
    guard source.width >= 1, source.height >= 1 else { throw .invalidSize("\(source) pixels") }
    let wanted = try (across: checked(width), down: checked(height))
    let sides = (width: Double(source.width), height: Double(source.height))

    let scale: Double
    switch (wanted.across, wanted.down) {
    case (let across?, let down?):
      let scales = (across / sides.width, down / sides.height)
      scale = mode == .fit ? min(scales.0, scales.1) : max(scales.0, scales.1)
    case (let across?, nil): scale = across / sides.width
    case (nil, let down?): scale = down / sides.height
    case (nil, nil): throw .invalidSize("neither width nor height")
    }
    return try plan(for: source, scale: upscales ? scale : min(scale, 1), wanted: wanted)
  }

  private func plan(
    for source: PixelSize, scale: Double, wanted: (across: Double?, down: Double?)
  ) throws(ImageCodecError) -> ResizePlan {
    var plan = ResizePlan(unchanged: source)
    plan.light = light
    var across = plan.width * scale
    var down = plan.height * scale
    if crops, mode == .fill, let width = wanted.across, let height = wanted.down {
      across = min(across, width)
      down = min(down, height)
    }
    guard across <= ResizeTarget.maximumSide, down <= ResizeTarget.maximumSide else {
      throw .invalidSize("\(across) × \(down) pixels")
    }
    plan.size = PixelSize(width: max(Int(across.rounded()), 1), height: max(Int(down.rounded()), 1))

    // With cropping, the used part has the aspect ratio of the result. Otherwise it is everything.
    if across < plan.width * scale {
      plan.left = (plan.width - across / scale) / 2
      plan.width = across / scale
    }
    if down < plan.height * scale {
      plan.top = (plan.height - down / scale) / 2
      plan.height = down / scale
    }
    return plan
  }

  private func checked(_ side: Double?) throws(ImageCodecError) -> Double? {
    guard let side else { return nil }
    // Without enlarging, a side has no largest size.
    guard side > 0, side.isFinite, side <= ResizeTarget.maximumSide || !upscales else {
      throw .invalidSize("a side of \(side) pixels")
    }
    return side
  }
}
