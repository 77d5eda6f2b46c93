extension EncodedImageHeader {
  /// The reduced size at which an oversize image is within the limits, if reduction is allowed and the format supports
  /// it.
  func reducedTarget(within limits: DecodingLimits) -> ResizeTarget? {
    guard limits.oversize == .downscale, let whole = frame(ResizePlan(unchanged: info.storedSize), limits),
      !limits.allow(whole)
    else { return nil }
    let size = info.size
    return (1...7).reversed().lazy
      .map {
        ResizeTarget(width: Double(size.width * $0) / 8, height: Double(size.height * $0) / 8, mode: .fit)
      }
      .first { target in
        guard let plan = try? ImageDecoder.storedResize(info, target: target) else { return false }
        return frame(plan, limits).map(limits.allow) ?? false
      }
  }

  /// The size that is decoded for a plan; `nil` if the format is always decoded completely.
  private func frame(_ plan: ResizePlan, _ limits: DecodingLimits) -> PixelSize? {
    switch self {
    case .jpeg(let header): return header.size.reduced(toEighths: header.eighths(for: plan, within: limits))
    case .webp(let header) where header.isDecodedByRows: return plan.reducedSize(within: limits)
    default: return nil
    }
  }
}
