/// What ``checkLaws(_:exempt:throwing:of:)`` cannot find out about an operator, and has to be told.
public struct LawOptions: OptionSet, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Values that nobody has asked for are lost, as in a subject.
  public static let losesUnasked = Self(rawValue: 1)

  /// Of values that come too fast some are left out, as by `debounce`.
  public static let thinsOut = Self(rawValue: 2)

  /// Values may come in another order when they are asked for otherwise, as from `flatMap`.
  public static let reorders = Self(rawValue: 4)

  /// All subscribers have one upstream in common, as with `share`. It is exempt from law C23.
  public static let sharesUpstream = Self(rawValue: 8)

  /// Asking it for no values is allowed, and does nothing. Without this, law P3 is not checked.
  public static let toleratesZeroDemand = Self(rawValue: 16)
}

extension LawOptions {
  func apply(to profile: inout Profile) {
    profile.isLossy = contains(.losesUnasked)
    profile.thinsOut = contains(.thinsOut)
    profile.isUnordered = contains(.reorders)
    profile.isShared = contains(.sharesUpstream)
    profile.zeroDemandTraps = !contains(.toleratesZeroDemand)
    if profile.isShared { profile.deviations[.c23] = "its subscribers have one upstream in common" }
  }
}
