/// Draws SVG documents with librsvg and Cairo.
///
/// It is not part of ``ImageDecoder``, because an untrusted document is a kind of program; you have to enable it. The
/// libraries are opened when a renderer is created.
///
/// librsvg can end the program by itself, and is not interrupted. Documents are therefore drawn in worker processes
/// unless you set ``isolation`` to `.none`: call ``ImageWorker/runIfAsked()`` first in your program.
///
/// Documents may be compressed with gzip. They are in UTF-8, in UTF-16, or in one of many encodings that they declare.
///
/// Nothing outside of the document is read except fonts of the system: file and network URLs have no effect. A document that
/// declares entities, or embeds documents or images (`data:`), is refused.
public struct SVGRenderer: Sendable, Hashable {
  /// Where documents are drawn: `.process()` by default.
  ///
  /// The workers may read files, because fonts are files; they have no network, and the limits of other workers. With
  /// `.none`, a document is drawn in the program: it can end the program, and take any time. Use that for documents of
  /// your own only.
  public var isolation = DecodingIsolation.process()

  /// The largest document in bytes, before and after decompression. 10 MiB.
  public var maximumBytes = 10 << 20

  /// The largest number of elements, with those in comments. 10,000. Elements repeated by `use` are not counted; librsvg fails
  /// after half a million.
  public var maximumElements = 10_000

  /// The largest product of elements and pixels, because each element may cover the image. 4 billion.
  ///
  /// It bounds the time of plain shapes. Filters take more: only in a worker process is the
  /// ``DecodingLimits/deadline`` kept.
  public var maximumPaintedPixels = 4_000_000_000

  /// The size of a document whose sides and `viewBox` give none. 300 × 150 pixels, as on the web.
  public var defaultSize = PixelSize(width: 300, height: 150)

  /// Creates a renderer.
  ///
  /// Throws ``ImageCodecError/missingLibrary(_:)`` if librsvg (2.52 or later) or Cairo is not installed.
  public init() throws(ImageCodecError) { try self.init(libraries: SVGLibraries()) }

  package init(libraries: SVGLibraries) throws(ImageCodecError) { try libraries.load() }

  /// Returns whether bytes begin an SVG document, which may be compressed (`.svgz`) or in UTF-16. Its first element must begin
  /// within 4,096 bytes.
  public static func isDocument(_ bytes: some Collection<UInt8>) -> Bool {
    var opening = Array(bytes.prefix(2 * SVGProlog.length))
    if GZip.isSigned(opening) {
      opening = opening.withUnsafeBytes { GZip.opening(of: $0, maximumByteCount: 2 * SVGProlog.length) }
    }
    return SVGProlog(SVGEncoding.opening(opening[...])).leadsToSVG
  }

  /// Returns the size of the document, rounded up.
  public func size(
    of bytes: UnsafeRawBufferPointer, limits: DecodingLimits = .default
  ) throws(ImageCodecError) -> PixelSize {
    try size(of: checkedText(bytes, limits), limits)
  }

  private func size(of text: SVGText, _ limits: DecodingLimits) throws(ImageCodecError) -> PixelSize {
    guard case .process(let settings) = isolation else { return try SVGDocument(text, renderer: self).size }
    return try text.bytes.withBytes { bytes throws(ImageCodecError) in
      try DrawingWorkers.decoder(settings, limits: limits).size(of: bytes, self, limits: limits)
    }
  }

  /// Returns the memory that drawing needs, including a layer or two. Throws the errors that
  /// ``image(of:options:isCancelled:)`` would throw before drawing.
  public func byteCost(
    of bytes: UnsafeRawBufferPointer, options: DecodingOptions = DecodingOptions()
  ) throws(ImageCodecError) -> Int {
    let text = try checkedText(bytes, options.limits)
    let plan = try plan(size(of: text, options.limits), text.elementCount, options)
    // Both are bounded, because the pixels were checked.
    return (plan.size.pixelCount ?? 0) * 12 + text.bytes.count * 16
  }

  /// Draws the document in RGBA and sRGB, at its own size or at ``DecodingOptions/target``, which may be larger.
  ///
  /// The limits on pixels are checked before memory is allocated. With `.none` as ``isolation``, deadline and
  /// cancellation are checked only before and after drawing.
  ///
  /// - Complexity: O(elements × pixels) time at worst, see ``maximumPaintedPixels``. Needs memory for the image, and
  ///   the same again for each nested layer (opacity, mask, filter).
  public func image(
    of bytes: UnsafeRawBufferPointer, options: DecodingOptions = DecodingOptions(),
    isCancelled: @escaping () -> Bool = { false }
  ) throws(ImageCodecError) -> Image {
    let watch = DecodingWatch(deadline: options.limits.deadline, isCancelled: isCancelled)
    try watch.check()
    if case .process(let settings) = isolation {
      return try DrawingWorkers.decoder(settings, limits: options.limits)
        .drawing(bytes, self, options: options, isCancelled: isCancelled)
    }
    let document = try SVGDocument(checkedText(bytes, options.limits), renderer: self)
    try watch.check()
    var image = try document.image(plan(document.size, document.elementCount, options))
    try watch.check()
    image.scale = options.scale
    return image
  }

  /// Checks the text of a document, in Swift.
  func checkedText(
    _ bytes: UnsafeRawBufferPointer, _ limits: DecodingLimits
  ) throws(ImageCodecError) -> SVGText {
    let most = min(maximumBytes, limits.maximumEncodedBytes)
    guard bytes.count <= most else { throw .limitExceeded(.encodedBytes(most)) }
    let text = try SVGText(bytes, maximumByteCount: most)
    guard text.elementCount <= maximumElements else { throw .limitExceeded(.elements(maximumElements)) }
    return text
  }

  /// Returns the size at which a document is drawn. Throws if that exceeds the limits.
  private func plan(
    _ size: PixelSize, _ elementCount: Int, _ options: DecodingOptions
  ) throws(ImageCodecError) -> ResizePlan {
    var target = options.target
    target?.upscales = true
    let plan = try target?.plan(for: size) ?? ResizePlan(unchanged: size)
    let side = min(options.limits.maximumSide, SVGDocument.maximumSide)
    guard plan.size.width <= side, plan.size.height <= side else {
      throw .tooLarge(width: plan.size.width, height: plan.size.height, limit: .side(side))
    }
    try options.limits.checkFrame(plan.size, bytesPerPixel: Image.PixelFormat.rgba8.bytesPerPixel)
    let most = maximumPaintedPixels / max(plan.size.pixelCount ?? .max, 1)
    guard elementCount <= most else { throw .limitExceeded(.elements(most)) }
    return plan
  }
}

/// The file names of the libraries.
package struct SVGLibraries: Sendable {
  #if os(macOS)
    package var rsvg = "librsvg-2.2.dylib"
    package var cairo = "libcairo.2.dylib"
    package var gobject = "libgobject-2.0.0.dylib"
  #else
    package var rsvg = "librsvg-2.so.2"
    package var cairo = "libcairo.so.2"
    package var gobject = "libgobject-2.0.so.0"
  #endif

  package init() {}
}
