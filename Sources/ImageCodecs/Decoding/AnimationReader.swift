/// Decodes an animation frame by frame, with memory for the file and a few frames: GIF, WebP, PNG (APNG), AVIF
/// and JPEG XL.
///
/// ```swift
/// let reader = try AnimationReader(bytes)
/// while let frame = try reader.next() {
///   show(frame.image, for: frame.duration)
/// }
/// ```
///
/// A file of another format is an animation of one frame. Color profiles of animations are ignored, except in JPEG XL; see
/// ``DecodingOptions/colors``. To play it again, create another reader.
public final class AnimationReader {
  /// The metadata in the header.
  public let info: ImageInfo

  /// How many times the animation plays; `nil` for ever.
  public let plays: Int?

  private let options: DecodingOptions
  private let resize: ResizePlan
  private let clock: FrameClock
  private let watch: DecodingWatch
  private var source: (any FrameSource)?
  private var count = 0
  /// Whether the end of the file is that of the animation.
  private let endsEarly: Bool

  /// The formats whose animations are decoded.
  public static let formats = Set(ImageFormat.allCases.filter(\.codec.decodesAnimations))

  /// Creates a reader. Checks the header and the memory for the frames of an animation, and decodes nothing yet.
  ///
  /// ``DecodingLimits/deadline`` applies to each frame.
  public convenience init(
    _ bytes: [UInt8], options: DecodingOptions = DecodingOptions(),
    isCancelled: @escaping () -> Bool = { false }
  ) throws(ImageCodecError) {
    try self.init(file: FrameFile(bytes, limits: options.limits), options: options, isCancelled: isCancelled)
  }

  /// Creates a reader of `Data` or any other collection of bytes, which are copied.
  public convenience init(
    _ bytes: some Collection<UInt8>, options: DecodingOptions = DecodingOptions(),
    isCancelled: @escaping () -> Bool = { false }
  ) throws(ImageCodecError) {
    try self.init(Array(bytes), options: options, isCancelled: isCancelled)
  }

  /// Creates a reader of bytes that may be moved or freed. They are copied.
  public convenience init(
    _ bytes: UnsafeRawBufferPointer, options: DecodingOptions = DecodingOptions(),
    isCancelled: @escaping () -> Bool = { false }
  ) throws(ImageCodecError) {
    try self.init(file: FrameFile(bytes, limits: options.limits), options: options, isCancelled: isCancelled)
  }

  /// Creates a reader with another clock.
  package convenience init(
    _ bytes: [UInt8], options: DecodingOptions, now: @escaping () -> ContinuousClock.Instant
  ) throws(ImageCodecError) {
    try self.init(
      file: FrameFile(bytes, limits: options.limits), options: options, isCancelled: { false }, now: now)
  }

  private init(
    file: FrameFile, options: DecodingOptions, isCancelled: @escaping () -> Bool,
    now: @escaping () -> ContinuousClock.Instant = { .now }
  ) throws(ImageCodecError) {
    let clock = FrameClock(now)
    (self.clock, self.options) = (clock, options)
    watch = DecodingWatch(
      deadline: options.limits.deadline, elapsed: { clock.elapsed }, isCancelled: isCancelled)
    let limits = options.limits
    let header = try ImageCodec.header(of: file.view)
    info = header.info
    try limits.checkStored(info, byteCount: file.view.count)
    resize = try ImageDecoder.storedResize(info, target: options.target)
    let animation =
      try header.animation(of: file, limits: limits, watch: watch)
      ?? Animation(frames: StillFrame(file, options: options, watch: watch))
    (source, plays, endsEarly) = (animation.frames, animation.plays, animation.endsEarly)
  }

  /// Returns the next frame; `nil` after the last one, and after an error.
  ///
  /// Throws ``ImageCodecError/limitExceeded(_:)`` if there are more frames than ``DecodingLimits/maximumFrames``.
  public func next() throws(ImageCodecError) -> AnimationFrame? {
    guard let source else { return nil }
    do throws(ImageCodecError) {
      clock.restart()
      try watch.check()
      guard var frame = try source.next() else {
        self.source = nil
        return nil
      }
      count += 1
      guard count <= options.limits.maximumFrames else {
        throw .limitExceeded(.frames(options.limits.maximumFrames))
      }
      if !(source is StillFrame) {
        frame.image = try frame.image.resampled(resize, limits: options.limits, watch: watch)
        if options.colors == .sRGB { frame.image = try frame.image.convertedToSRGB(watch: watch) }
        frame.image = try frame.image.oriented(info.orientation)
        frame.image.scale = options.scale
      }
      return frame
    } catch {
      self.source = nil
      if endsEarly, count > 0, error == .truncated { return nil }
      throw error
    }
  }
}

private final class FrameClock {
  private let now: () -> ContinuousClock.Instant
  private var start: ContinuousClock.Instant

  init(_ now: @escaping () -> ContinuousClock.Instant) {
    self.now = now
    start = now()
  }

  var elapsed: Duration { now() - start }

  func restart() { start = now() }
}
