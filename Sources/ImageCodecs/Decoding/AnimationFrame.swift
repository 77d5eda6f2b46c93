/// One frame of an animation.
public struct AnimationFrame: Sendable, Equatable {
  /// The whole canvas, as it is shown.
  public var image: Image

  /// How long it is shown. A duration of ten milliseconds or less in the file counts as a tenth of a second, as in
  /// browsers.
  public var duration: Duration

  /// Creates a frame.
  public init(image: Image, duration: Duration) {
    self.image = image
    self.duration = duration
  }

  static func duration(milliseconds: Int) -> Duration {
    .milliseconds(milliseconds <= 10 ? 100 : milliseconds)
  }
}
