internal import CInterleavings

/// One memory order of the sources, weakened by one step.
public struct Weakening: Sendable, Equatable {
  public let site: Int
  /// What is left of it.
  let bits: Int32

  public init(site: Int, acquires: Bool, releases: Bool) {
    self.site = site
    bits = (acquires ? 1 : 0) | (releases ? 2 : 0)
  }
}

extension Explorer {
  /// The order that is weaker than the sources say.
  public var weakening: Weakening? {
    get { State.weakening }
    nonmutating set {
      State.weakening = newValue
      interleavings_weaken(Int32(newValue?.site ?? 0), newValue?.bits ?? 0)
    }
  }

  /// For each order of the sources, whether its acquisition (1) or its release (2) has ordered anything.
  public var effects: UnsafeMutablePointer<UInt8> { interleavings_effects() }
  public static var mostSites: Int { Int(INTERLEAVINGS_ORDERS) }
}
