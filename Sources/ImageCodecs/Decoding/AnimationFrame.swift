/// One picture of an animation.
public struct AnimationFrame: Sendable, Equatable {
  /// All of the canvas, as it is shown.
  public var image: Image

  /// How long it is shown. What a file gives as ten milliseconds or less is a tenth of a second, as in browsers.
  public var duration: Duration

  /// A picture and how long it is shown.
  public init(image: Image, duration: Duration) {
    self.image = image
    self.duration = duration
  }

  static func duration(milliseconds: Int) -> Duration {
    .milliseconds(milliseconds <= 10 ? 100 : milliseconds)
  }
}
