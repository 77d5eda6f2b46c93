/// The frames of an animation, wherever they are decoded.
protocol FrameReading {
  var info: ImageInfo { get }
  var plays: Int? { get }

  /// The next frame; nil after the last one, and after an error.
  func next() throws(ImageCodecError) -> AnimationFrame?
}

extension AnimationReader: FrameReading {}
extension IsolatedAnimationReader: FrameReading {}
