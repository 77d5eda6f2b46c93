internal import Foundation
internal import StreamImages

extension ThumbnailQuery {
  /// The steps from the original to the thumbnail. Images that are smaller keep their size, unless they are enlarged.
  ///
  /// - Parameter mark: The watermark at an opacity, if the server has one.
  func processors(mark: (_ opacity: Double) -> ImageProcessors.Watermark?) throws(Refusal)
    -> [any ImageProcessing]
  {
    var processors: [any ImageProcessing] = []
    if let trimming { processors.append(.trim(tolerance: trimming)) }
    if let crop { processors.append(crop.processor) }
    processors += sizing
    if let blur { processors.append(.gaussianBlur(radius: blur)) }
    if let sharpening { processors.append(.sharpen(radius: sharpening)) }
    if let pixelation { processors.append(.pixelate(side: pixelation)) }
    if fit == .fill { processors.append(.pad(to: box, color: background ?? .white)) }
    if let padding {
      processors.append(
        ImageProcessors.Pad(
          top: padding.top, left: padding.left, bottom: padding.bottom, right: padding.right,
          color: background ?? .white))
    }
    if let watermark, watermark > 0 {
      guard let mark = mark(watermark) else { throw .bad("query.wm") }
      processors.append(mark)
    }
    if let background { processors.append(.background(background)) }
    // Part of the cache key, also where the encoder is chosen by the image.
    if format == nil, let quality { processors.append(PreferredQuality(quality)) }
    return processors
  }

  private var box: CGSize { CGSize(width: width, height: height) }

  /// Resizes, turns and crops to the box. A resize is first, because decoders of JPEG and WebP can do it meanwhile.
  private var sizing: [any ImageProcessing] {
    let swapsSides = rotation % 180 != 0
    let size = swapsSides ? CGSize(width: height, height: width) : box
    let isCover = fit == .cover
    let cropsAlready = isCover && position == .center
    let isEnlargedLater = isEnlarged && isCover && !cropsAlready
    var processors: [any ImageProcessing] = [
      .resize(
        size: size, contentMode: isCover ? .aspectFill : .aspectFit, crop: cropsAlready,
        upscale: isEnlarged && !isEnlargedLater)
    ]
    if rotation != 0 { processors.append(.rotate(degrees: Double(rotation))) }
    if flipsHorizontally || flipsVertically {
      processors.append(.flip(horizontally: flipsHorizontally, vertically: flipsVertically))
    }
    if isEnlargedLater {
      processors.append(EnlargedCrop(box: box, position: position))
    } else if isCover, !cropsAlready {
      processors.append(position.crop(to: box))
    }
    return processors
  }
}

extension ThumbnailQuery.Position {
  func crop(to size: CGSize) -> ImageProcessors.Crop {
    switch self {
    case .anchor(let anchor): .crop(size: size, anchor: anchor)
    case .focus(let focus): .crop(size: size, focus: focus)
    case .attention: .crop(size: size, to: .attention)
    }
  }
}

extension ThumbnailQuery.Crop {
  fileprivate var processor: ImageProcessors.Crop {
    switch self {
    case .area(let x, let y, let width, let height):
      .crop(CGRect(x: x, y: y, width: width, height: height))
    case .size(let width, let height, let position): position.crop(to: CGSize(width: width, height: height))
    }
  }
}

/// Crops to the shape of a box, and then enlarges to it: enlarged first, an image of another shape would be many times as
/// large as the box.
struct EnlargedCrop: ImageProcessing {
  let box: CGSize
  let position: ThumbnailQuery.Position

  var identifier: String { "enlarged \(position.crop(to: box).identifier)" }

  func process(_ image: Image, _ context: ImageProcessingContext) throws -> Image {
    let scale = max(1, box.width / CGFloat(image.width), box.height / CGFloat(image.height))
    let part = CGSize(width: box.width / scale, height: box.height / scale)
    let enlarging = ImageProcessors.Resize(size: box, crop: true, upscale: true)
    return try enlarging.process(try position.crop(to: part).process(image, context), context)
  }
}

/// Changes no pixels. It tells the encoder which quality a client prefers if the image decides about the format.
struct PreferredQuality: ImageProcessing {
  let quality: Double
  let identifier: String

  init(_ quality: Double) {
    self.quality = quality
    identifier = "thumbnail quality \(quality)"
  }

  func process(_ image: Image, _ context: ImageProcessingContext) -> Image { image }

  /// Chooses the encoder of requests that prefer a quality.
  struct Delegate: ImagePipelineDelegate {
    func encoder(for request: ImageRequest) -> (any ImageEncoding)? {
      for case let preference as PreferredQuality in request.processors {
        return ImageEncoders.Default(quality: preference.quality)
      }
      return nil
    }
  }
}
