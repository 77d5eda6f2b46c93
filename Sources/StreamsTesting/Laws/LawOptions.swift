/// Properties of an operator that ``checkLaws(_:exempt:throwing:of:)`` cannot find out.
public struct LawOptions: OptionSet, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Values without demand are lost, as in a subject.
  public static let losesUnasked = Self(rawValue: 1)

  /// Values that arrive too fast are skipped, as by `debounce`.
  public static let thinsOut = Self(rawValue: 2)

  /// The order of values depends on the requests, as with `flatMap`.
  public static let reorders = Self(rawValue: 4)

  /// All subscribers share one upstream, as with `share`. It is exempt from law C23.
  public static let sharesUpstream = Self(rawValue: 8)

  /// Requesting no values is allowed, and has no effect. Law P3 is then checked.
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
