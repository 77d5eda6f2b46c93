/// One frame of an animation.
public struct AnimationFrame: Sendable, Equatable {
  /// The whole canvas, as it is shown.
  public var image: Image

  /// How long it is shown. A duration of ten milliseconds or less in the file counts as a tenth of a second, as in
  /// browsers.
  public var duration: Duration

  /// Creates a frame.
  public init(image: Image, duration: Duration) {
    (self.image, self.duration) = (image, duration)
  }

  static func duration(milliseconds: Int) -> Duration { duration(microseconds: milliseconds * 1_000) }

  static func duration(microseconds: Int) -> Duration {
    .microseconds(microseconds <= 10_000 ? 100_000 : microseconds)
  }
}
