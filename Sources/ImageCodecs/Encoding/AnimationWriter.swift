/// Encodes an animation frame by frame as an animated WebP or GIF, with memory for the file and two frames.
///
/// ```swift
/// let reader = try AnimationReader(bytes, options: DecodingOptions(target: .fitting(80)))
/// var writer = try AnimationWriter(as: .webp(quality: 0.8), plays: reader.plays)
/// while let frame = try reader.next() { try writer.append(frame) }
/// let file = try writer.finish()
/// ```
///
/// Frames and their durations are kept. Of each frame, only the rectangle that differs from the frame before is encoded.
public struct AnimationWriter {
  private let encoding: ImageEncoder.Encoding
  private var frames: any EncodedFrames
  private var size: PixelSize?

  /// Creates a writer.
  ///
  /// Throws ``ImageCodecError/encodingFailed(_:)`` unless the encoding is `webp`, `losslessWebP` or `gif`, and `plays` is from 1
  /// to 65,535.
  ///
  /// - Parameters:
  ///   - encoding: The encoding of the frames.
  ///   - plays: How many times the animation plays; `nil` for ever.
  public init(
    as encoding: ImageEncoder.Encoding = .webp(), plays: Int? = nil
  ) throws(ImageCodecError) {
    if let plays, !(1...65_535).contains(plays) {
      throw .encodingFailed("an animation that plays \(plays) times")
    }
    guard let writer = encoding.format.codec.framesWriter else {
      throw .encodingFailed("an animation as \(encoding.format.rawValue)")
    }
    self.encoding = encoding
    frames = writer(encoding, plays)
  }

  /// Encodes a frame. Its colors are converted to sRGB.
  ///
  /// Durations are rounded to milliseconds, up to 4 hours, and those of a GIF to hundredths of a second, from 0.02 to 655.35 s: players
  /// show shorter ones for a tenth of a second. Throws ``ImageCodecError/encodingFailed(_:)`` for a negative or longer one, for a
  /// frame of another size than the first one, and in the cases of ``ImageEncoder/encode(_:as:)``. The frame is then not part of the
  /// animation.
  public mutating func append(_ frame: AnimationFrame) throws(ImageCodecError) {
    let milliseconds = (frame.duration / .milliseconds(1)).rounded()
    guard (0...type(of: frames).longest / .milliseconds(1)).contains(milliseconds) else {
      throw .encodingFailed("a frame of \(frame.duration)")
    }
    try encoding.check(frame.image.size)
    let image = try frame.image.convertedToSRGB().colored().withAlpha()
    if let size, size != image.size {
      throw .encodingFailed("a frame of \(image.size) pixels in an animation of \(size)")
    }
    try frames.append(image, frame.duration)
    size = image.size
  }

  /// Returns the file. Throws ``ImageCodecError/encodingFailed(_:)`` without a frame.
  public func finish() throws(ImageCodecError) -> [UInt8] {
    guard let size else { throw .encodingFailed("an animation without frames") }
    return try frames.file(size)
  }
}

/// The frames of one format, encoded one after the other.
protocol EncodedFrames {
  /// The longest duration of a frame.
  static var longest: Duration { get }

  /// Encodes a frame of four channels of eight bits, in sRGB. Changes nothing if it throws.
  mutating func append(_ image: Image, _ duration: Duration) throws(ImageCodecError)

  /// The file, of frames of this size.
  func file(_ size: PixelSize) throws(ImageCodecError) -> [UInt8]
}
