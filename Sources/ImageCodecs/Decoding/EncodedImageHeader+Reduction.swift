extension EncodedImageHeader {
  /// The reduced size at which an oversize image is within the limits, if reduction is allowed and the format supports
  /// it.
  func reducedTarget(within limits: DecodingLimits) -> ResizeTarget? {
    guard limits.oversize == .downscale,
      let whole = reducedSize(for: ResizePlan(unchanged: info.storedSize), within: limits),
      !limits.allow(whole)
    else { return nil }
    let size = info.size
    return (1...7).reversed().lazy
      .map {
        ResizeTarget(width: Double(size.width * $0) / 8, height: Double(size.height * $0) / 8, mode: .fit)
      }
      .first { target in
        guard let plan = try? ImageDecoder.storedResize(info, target: target) else { return false }
        return reducedSize(for: plan, within: limits).map(limits.allow) ?? false
      }
  }
}
