public import Streams

/// A description of a transition between images. The target that draws them performs it.
public struct ImageTransition: Sendable, Hashable {
  /// The style of a transition.
  public enum Style: Sendable, Hashable {
    /// No transition.
    case none
    /// The new image fades in over the old one.
    case fadeIn
    /// The old image fades out while the new one fades in.
    case crossDissolve
    /// A transition of your own, known to the target by this name.
    case custom(String)
  }

  /// The style.
  public var style: Style
  /// The duration.
  public var duration: Duration

  /// Creates a transition.
  public init(style: Style, duration: Duration) {
    self.style = style
    self.duration = duration
  }

  /// No transition.
  public static let none = ImageTransition(style: .none, duration: .zero)

  /// Fades the new image in over the old one.
  ///
  /// - Parameter duration: Half a second by default.
  public static func fadeIn(_ duration: Duration = .milliseconds(500)) -> Self {
    Self(style: .fadeIn, duration: duration)
  }

  /// Fades the old image out while the new one fades in.
  ///
  /// - Parameter duration: Half a second by default.
  public static func crossDissolve(_ duration: Duration = .milliseconds(500)) -> Self {
    Self(style: .crossDissolve, duration: duration)
  }

  /// Returns the progress after some time, from 0 to 1. 1 for a transition without a style or a duration.
  public func progress(after elapsed: Duration) -> Double {
    guard style != .none, duration > .zero else { return 1 }
    return min(max(elapsed / duration, 0), 1)
  }

  /// Returns a publisher of the progress, from 0 to 1, at a rate per second. Then it finishes.
  ///
  /// Each subscriber has its own transition. A step that is not requested delays the following ones. The rate is from 1 to
  /// 1,000.
  public func steps<Context: Scheduler>(perSecond rate: Int = 60, on scheduler: Context) -> AnyPublisher<
    Double, Never
  > {
    guard style != .none, duration > .zero else { return Just(1).eraseToAnyPublisher() }
    let seconds = duration / .seconds(1)
    // More do not fit into an `Int`, and never end either.
    let count = max(1, Int(min((seconds * Double(min(max(1, rate), 1000))).rounded(), 0x1p62)))
    let pause = Context.SchedulerTimeType.Stride.seconds(seconds / Double(count))
    return (0...count).publisher
      .flatMap(maxPublishers: .max(1)) { step in
        Just(Double(step) / Double(count)).delay(for: step == 0 ? .seconds(0) : pause, scheduler: scheduler)
      }
      .eraseToAnyPublisher()
  }
}
