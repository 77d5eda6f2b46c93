/// The memory order of an access to an atomic.
public struct MemoryOrder: Sendable {
  let bits: UInt8
  /// Which order in the sources it is, so that it can be weakened for a run. Zero for none.
  let site: UInt16

  static let acquires: UInt8 = 1
  static let releases: UInt8 = 2
  static let sequential: UInt8 = 4

  private init(_ bits: UInt8, _ site: UInt16 = 0) {
    self.bits = bits
    self.site = site
  }

  public static let relaxed = MemoryOrder(0)
  public static let acquiring = MemoryOrder(acquires)
  public static let releasing = MemoryOrder(releases)
  public static let acquiringAndReleasing = MemoryOrder(acquires | releases)
  public static let sequentiallyConsistent = MemoryOrder(acquires | releases | sequential)

  // These are what the explored sources call.
  public static func acquiring(_ site: UInt16) -> MemoryOrder { MemoryOrder(acquires, site) }
  public static func releasing(_ site: UInt16) -> MemoryOrder { MemoryOrder(releases, site) }
  public static func acquiringAndReleasing(_ site: UInt16) -> MemoryOrder {
    MemoryOrder(acquires | releases, site)
  }
}

/// One order, weakened by one step.
public struct Weakening: Sendable, Equatable {
  public let site: UInt16
  /// What is left of it.
  let bits: UInt8

  public init(site: Int, acquires: Bool, releases: Bool) {
    self.site = UInt16(site)
    bits = (acquires ? MemoryOrder.acquires : 0) | (releases ? MemoryOrder.releases : 0)
  }
}
