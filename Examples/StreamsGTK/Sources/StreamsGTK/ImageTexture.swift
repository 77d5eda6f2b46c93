internal import CGTK
public import StreamImages

/// A texture that shows the pixels of an image.
///
/// ```swift
/// let texture = try ImageTexture(response.image)
/// gtk_picture_set_paintable(picture, texture.pointer)
/// ```
///
/// GTK reads the image's own memory: nothing is copied. The texture, and whatever keeps it, keeps that memory alive. Writing to
/// a copy of the image does not change the texture. These have to be copied, as GTK 4.8 has no format for them: gray images,
/// and images in a color space of their own. Decoders deliver sRGB unless you ask for something else.
///
/// A texture may be made on any thread.
// Unchecked, because a texture never changes, and its reference count is atomic.
public final class ImageTexture: @unchecked Sendable {
  /// A `GdkTexture`, which is a `GdkPaintable`. It lives as long as this, or as what took a reference to it.
  public let pointer: OpaquePointer

  /// Makes a texture of an image.
  ///
  /// Throws `ImageCodecError/outOfMemory` if a copy is needed and there is no memory for it.
  public init(_ image: Image) throws(ImageCodecError) {
    let image = try image.showable()
    let bytes = image.sharedBytes()
    defer { g_bytes_unref(bytes) }
    pointer = gdk_memory_texture_new(
      gint(image.width), gint(image.height), image.pixelFormat.memoryFormat, bytes, gsize(image.bytesPerRow))
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }
}

extension Image {
  /// The image's own memory, as GLib's bytes. They keep it alive.
  package func sharedBytes() -> OpaquePointer {
    let owner = Unmanaged.passRetained(PixelOwner(image: self)).toOpaque()
    return withUnsafeBytes { bytes in
      // A copy of the image that nobody writes to keeps the address: see `Image.withUnsafeBytes`.
      g_bytes_new_with_free_func(
        bytes.baseAddress, gsize(bytes.count),
        { owner in Unmanaged<PixelOwner>.fromOpaque(owner!).release() }, owner)
    }
  }

  /// The image in a format that GTK can show: itself if it can be.
  fileprivate func showable() throws(ImageCodecError) -> Image {
    let image = try convertedToSRGB()
    guard image.pixelFormat.channelCount == 1 else { return image }
    let gray = try image.reducedTo8Bits()
    var colored = try Image(width: width, height: height, pixelFormat: .rgb8, scale: scale)
    try colored.withUnsafeMutableBytes { colors in
      gray.withUnsafeBytes { grays in
        for index in 0..<grays.count {
          (colors[3 * index], colors[3 * index + 1], colors[3 * index + 2]) = (
            grays[index], grays[index], grays[index]
          )
        }
      }
    }
    return colored
  }

  /// The shape of the image in a color.
  func tinted(_ color: Pixel) throws(ImageCodecError) -> Image {
    let shape = try convertedToSRGB().reducedTo8Bits()
    var result = try Image(width: width, height: height, pixelFormat: .rgba8, scale: scale)
    let channels = shape.pixelFormat.channelCount
    try result.withUnsafeMutableBytes { colors in
      shape.withUnsafeBytes { bytes in
        for index in 0..<width * height {
          let cover = channels == 4 ? Int(bytes[4 * index + 3]) : 255
          (colors[4 * index], colors[4 * index + 1], colors[4 * index + 2]) = (
            color.red, color.green, color.blue
          )
          colors[4 * index + 3] = UInt8(cover * Int(color.alpha) / 255)
        }
      }
    }
    return result
  }
}

extension Image.PixelFormat {
  /// The same in the words of GTK. Gray has none.
  fileprivate var memoryFormat: GdkMemoryFormat {
    switch self {
    case .rgba8: GDK_MEMORY_R8G8B8A8
    case .rgb16: GDK_MEMORY_R16G16B16
    case .rgba16: GDK_MEMORY_R16G16B16A16
    default: GDK_MEMORY_R8G8B8
    }
  }
}

/// Holds the pixels for whoever has no Swift references.
private final class PixelOwner {
  let image: Image

  init(image: Image) { self.image = image }
}
