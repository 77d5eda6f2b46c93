public import Streams

/// How one picture gives way to another, as data: whoever draws carries it out.
public struct ImageTransition: Sendable, Hashable {
  /// What it looks like.
  public enum Style: Sendable, Hashable {
    /// At once.
    case none
    /// The new picture becomes visible over what was there.
    case fadeIn
    /// The old picture becomes invisible as the new one becomes visible.
    case crossDissolve
    /// One that the target knows by this name.
    case custom(String)
  }

  /// What it looks like.
  public var style: Style
  /// From the first change to the last.
  public var duration: Duration

  /// A change of this style, which takes so long.
  public init(style: Style, duration: Duration) {
    self.style = style
    self.duration = duration
  }

  /// At once.
  public static let none = ImageTransition(style: .none, duration: .zero)

  /// The new picture comes over what was there.
  ///
  /// - Parameter duration: Half a second by default.
  public static func fadeIn(_ duration: Duration = .milliseconds(500)) -> Self {
    Self(style: .fadeIn, duration: duration)
  }

  /// The old picture goes as the new one comes.
  ///
  /// - Parameter duration: Half a second by default.
  public static func crossDissolve(_ duration: Duration = .milliseconds(500)) -> Self {
    Self(style: .crossDissolve, duration: duration)
  }

  /// How far it is, after some time: 0 to 1. 1 at once if it takes no time.
  public func progress(after elapsed: Duration) -> Double {
    guard style != .none, duration > .zero else { return 1 }
    return min(max(elapsed / duration, 0), 1)
  }

  /// How far it is, from 0 to 1, so many times a second; then it finishes.
  ///
  /// Each subscriber sees a transition of its own, as it asks: steps that nobody asks for are left out, 1 is not.
  public func steps<Context: Scheduler>(perSecond rate: Int = 60, on scheduler: Context) -> AnyPublisher<
    Double, Never
  > {
    guard style != .none, duration > .zero else { return Just(1).eraseToAnyPublisher() }
    let count = max(1, Int((duration / .seconds(1) * Double(max(1, rate))).rounded()))
    let pause = Context.SchedulerTimeType.Stride.seconds(duration / .seconds(1) / Double(count))
    return (0...count).publisher
      .flatMap(maxPublishers: .max(1)) { step in
        Just(Double(step) / Double(count)).delay(for: step == 0 ? .seconds(0) : pause, scheduler: scheduler)
      }
      .eraseToAnyPublisher()
  }
}
