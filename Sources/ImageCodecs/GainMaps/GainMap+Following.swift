extension GainMap {
  /// The gain map of an image after `plan`, which is a plan for the image.
  ///
  /// It keeps its resolution as long as that is not above the one of the image.
  func following(
    _ plan: ResizePlan, limits: DecodingLimits, watch: DecodingWatch
  ) throws(ImageCodecError) -> GainMap {
    let own = plan.forGainMap(of: image.size)
    return try GainMap(image: image.resampled(own, limits: limits, watch: watch), metadata: metadata)
  }

  /// The gain map of a part of an image, which is resampled where its pixels are not those of the image. Without limits, as a
  /// part is no larger than the whole.
  func cropped(_ columns: Range<Int>, _ rows: Range<Int>, of size: PixelSize) throws(ImageCodecError)
    -> GainMap
  {
    var limits = DecodingLimits()
    (limits.maximumPixels, limits.maximumDecodedBytes, limits.maximumWorkingBytes) = (.max, .max, .max)
    let watch = DecodingWatch(deadline: .seconds(Int32.max), isCancelled: { false })
    let plan = ResizePlan(cutting: size, columns: columns, rows: rows)
    return try following(plan, limits: limits, watch: watch)
  }

  /// The gain map of an upright image.
  func oriented(_ orientation: ImageOrientation) throws(ImageCodecError) -> GainMap {
    try GainMap(image: image.oriented(orientation), metadata: metadata)
  }
}

extension ResizePlan {
  /// The plan that does to a gain map of this size what this plan does to its image.
  func forGainMap(of map: PixelSize) -> ResizePlan {
    var own = stretched(to: map)
    own.size = PixelSize(
      width: min(Int(own.width.rounded(.up)), size.width),
      height: min(Int(own.height.rounded(.up)), size.height))
    own.light = .encoded
    return own
  }

  /// The plan that cuts a part out.
  init(cutting source: PixelSize, columns: Range<Int>, rows: Range<Int>) {
    self.init(unchanged: source)
    (left, top) = (Double(columns.lowerBound), Double(rows.lowerBound))
    (width, height) = (Double(columns.count), Double(rows.count))
    size = PixelSize(width: columns.count, height: rows.count)
  }
}
