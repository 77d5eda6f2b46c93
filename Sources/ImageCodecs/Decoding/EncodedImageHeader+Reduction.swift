extension EncodedImageHeader {
  /// The size at which a picture that is too large is not, if it may be reduced, and its format can be decoded so.
  func reducedTarget(within limits: DecodingLimits) -> ResizeTarget? {
    guard limits.oversize == .downscale, let whole = frame(ResizePlan(unchanged: info.storedSize)),
      !limits.allow(whole)
    else { return nil }
    let size = info.size
    return (1...7).reversed().lazy
      .map {
        ResizeTarget(width: Double(size.width * $0) / 8, height: Double(size.height * $0) / 8, mode: .fit)
      }
      .first { target in
        guard let plan = try? ImageDecoder.storedResize(info, target: target) else { return false }
        return frame(plan).map(limits.allow) ?? false
      }
  }

  /// What is decoded for a plan; nil where that is always everything.
  private func frame(_ plan: ResizePlan) -> PixelSize? {
    switch self {
    case .jpeg(let header):
      let eighths = plan.neededEighths
      return PixelSize(
        width: (header.size.width * eighths + 7) / 8, height: (header.size.height * eighths + 7) / 8)
    case .webp(let header) where header.isDecodedByRows: return plan.reducedSize
    default: return nil
    }
  }
}

extension DecodingLimits {
  /// Whether pixels of three channels may be held at once.
  fileprivate func allow(_ size: PixelSize) -> Bool { (try? checkFrame(size, bytesPerPixel: 3)) != nil }
}
