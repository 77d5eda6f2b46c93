/// Draws SVG, through librsvg and Cairo.
///
/// Not part of ``ImageDecoder``: a document of a stranger is a program of a kind, so whoever wants it says so. The
/// libraries are opened when a renderer is made, and only then.
///
/// Nothing outside of the document is ever read: addresses of files and of the network lead nowhere, and a document that
/// declares entities, or carries documents or pictures inside (`data:`), is refused. Text is set in fonts of the system.
public struct SVGRenderer: Sendable, Hashable {
  /// Of the document. 10 MiB.
  public var maximumBytes = 10 << 20

  /// Of the document. 10,000. What `use` repeats is not among them: librsvg ends with an error after half a million.
  public var maximumElements = 10_000

  /// Elements times pixels: each may be as large as the picture. 4 billion.
  ///
  /// librsvg cannot be interrupted, so this is what bounds its time, rather than ``DecodingLimits/deadline``.
  public var maximumPaintedPixels = 4_000_000_000

  /// The size of a document that asks for none, neither by its sides nor by its `viewBox`. 300 × 150 pixels, as on the web.
  public var defaultSize = PixelSize(width: 300, height: 150)

  /// A renderer with these limits.
  ///
  /// Throws ``ImageCodecError/missingLibrary(_:)`` if librsvg (2.52 or later) is not there.
  public init() throws(ImageCodecError) { try self.init(libraries: SVGLibraries()) }

  package init(libraries: SVGLibraries) throws(ImageCodecError) { try libraries.load() }

  /// Whether bytes are an SVG document, by their beginning. One that is compressed, or not in ASCII, is none.
  public static func isDocument(_ bytes: some Collection<UInt8>) -> Bool { SVGProlog(bytes).leadsToSVG }

  /// The size that the document asks for, rounded up.
  public func size(
    of bytes: UnsafeRawBufferPointer, limits: DecodingLimits = .default
  ) throws(ImageCodecError) -> PixelSize {
    try SVGDocument(bytes, renderer: self, limits: limits).size
  }

  /// The memory that drawing takes, a layer or two included. Throws what ``image(of:options:isCancelled:)`` would throw
  /// before it draws.
  public func byteCost(
    of bytes: UnsafeRawBufferPointer, options: DecodingOptions = DecodingOptions()
  ) throws(ImageCodecError) -> Int {
    let plan = try plan(SVGDocument(bytes, renderer: self, limits: options.limits), options)
    // Both are bounded: the pixels have been checked.
    return (plan.size.pixelCount ?? 0) * 12 + bytes.count * 16
  }

  /// Draws the document, at the size that it asks for or at that of ``DecodingOptions/target``: that may be larger as well,
  /// as nothing is stretched. RGBA, in sRGB.
  ///
  /// Of the limits, those of pixels are held to before anything is allocated. Deadline and cancellation are looked at
  /// before and after drawing.
  ///
  /// - Complexity: O(elements × pixels) time at worst, see ``maximumPaintedPixels``. Memory is the picture, and as much
  ///   again for each layer (opacity, mask, filter) that lies in another.
  public func image(
    of bytes: UnsafeRawBufferPointer, options: DecodingOptions = DecodingOptions(),
    isCancelled: @escaping () -> Bool = { false }
  ) throws(ImageCodecError) -> Image {
    let watch = DecodingWatch(deadline: options.limits.deadline, isCancelled: isCancelled)
    try watch.check()
    let document = try SVGDocument(bytes, renderer: self, limits: options.limits)
    try watch.check()
    var image = try document.image(plan(document, options))
    try watch.check()
    image.scale = options.scale
    return image
  }

  /// What is to be drawn, within the limits.
  private func plan(
    _ document: SVGDocument, _ options: DecodingOptions
  ) throws(ImageCodecError) -> ResizePlan {
    var target = options.target
    target?.upscales = true
    let plan = try target?.plan(for: document.size) ?? ResizePlan(unchanged: document.size)
    let side = min(options.limits.maximumSide, SVGDocument.maximumSide)
    guard plan.size.width <= side, plan.size.height <= side else {
      throw .tooLarge(width: plan.size.width, height: plan.size.height, limit: .side(side))
    }
    try options.limits.checkFrame(plan.size, bytesPerPixel: Image.PixelFormat.rgba8.bytesPerPixel)
    let most = maximumPaintedPixels / max(plan.size.pixelCount ?? .max, 1)
    guard document.elementCount <= most else { throw .limitExceeded(.elements(most)) }
    return plan
  }
}

/// What the libraries are called here.
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
