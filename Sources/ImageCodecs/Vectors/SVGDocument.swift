import CCodecs

/// A document that librsvg has parsed, after its text was checked.
final class SVGDocument {
  /// The limit of Cairo.
  static let maximumSide = 32_767

  let elementCount: Int
  let size: PixelSize
  private let sides: (width: Double, height: Double)
  private let handle: OpaquePointer

  init(_ text: SVGText, renderer: SVGRenderer) throws(ImageCodecError) {
    elementCount = text.elementCount

    var opened: OpaquePointer?
    var message = [CChar](repeating: 0, count: Int(CodecMessageCapacity))
    let status = codec_svg_open(text.bytes, text.bytes.count, &opened, &message)
    guard status == .done, let opened else { throw .corrupt(CodecStatus.text(message)) }

    var (width, height) = (0.0, 0.0)
    codec_svg_size(opened, &width, &height)
    if !(width > 0 && height > 0) {
      (width, height) = (Double(renderer.defaultSize.width), Double(renderer.defaultSize.height))
    }
    // The largest side of an image.
    let side = Double(Image.maximumSide)
    guard width <= side, height <= side else {
      codec_svg_close(opened)
      throw .invalidSize("\(width) × \(height) pixels")
    }
    sides = (width, height)
    size = PixelSize(width: Int(width.rounded(.up)), height: Int(height.rounded(.up)))
    handle = opened
  }

  deinit { codec_svg_close(handle) }

  /// Draws part of the document at a size. The size was checked.
  func image(_ plan: ResizePlan) throws(ImageCodecError) -> Image {
    var image = try Image(width: plan.size.width, height: plan.size.height, pixelFormat: .rgba8)
    var message = [CChar](repeating: 0, count: Int(CodecMessageCapacity))
    let status = try image.withUnsafeMutableBytes { pixels in
      var frame = CodecSVGFrame(
        width: sides.width, height: sides.height, left: plan.left, top: plan.top,
        stretchAcross: Double(plan.size.width) / plan.width,
        stretchDown: Double(plan.size.height) / plan.height, pixelsAcross: UInt32(plan.size.width),
        pixelsDown: UInt32(plan.size.height), pixels: pixels.bytes)
      return codec_svg_draw(handle, &frame, &message)
    }
    switch status {
    case .done: return image
    case .outOfMemory: throw .outOfMemory
    default: throw .corrupt(CodecStatus.text(message))
    }
  }
}

extension SVGLibraries {
  func load() throws(ImageCodecError) {
    var missing = [CChar](repeating: 0, count: Int(CodecMessageCapacity))
    guard codec_svg_load(rsvg, cairo, gobject, &missing) else {
      throw .missingLibrary(CodecStatus.text(missing))
    }
  }
}
