/// How the explorer picks who goes on.
public enum Strategy: Sendable {
  /// Every schedule within these bounds, once.
  case exhaustive(Bounds)

  /// Anybody who can, by lot.
  case random

  /// By priorities drawn by lot, of which `depth - 1` change on the way: finds each bug that needs `depth` events in
  /// order with a known probability.
  case priorities(depth: Int)
}

/// One schedule, so that it can be run again.
public enum Schedule: Sendable {
  /// What was picked at each point of an exhaustive search where there was a choice, of a fiber or of a store.
  case picks([UInt8])
  case seed(UInt64, Strategy)
}

extension Schedule: CustomStringConvertible {
  public var description: String {
    switch self {
    case .picks(let picks): "x" + picks.map { String($0) }.joined()
    case .seed(let seed, .priorities(let depth)): "p\(depth).\(seed)"
    case .seed(let seed, _): "r\(seed)"
    }
  }

  /// What ``description`` wrote.
  public init?(_ text: String) {
    let rest = text.dropFirst()
    switch text.first {
    case "x":
      let picks = rest.compactMap { $0.wholeNumberValue.flatMap(UInt8.init(exactly:)) }
      guard picks.count == rest.count else { return nil }
      self = .picks(picks)
    case "r":
      guard let seed = UInt64(rest) else { return nil }
      self = .seed(seed, .random)
    case "p":
      let parts = rest.split(separator: ".")
      guard parts.count == 2, let depth = Int(parts[0]), let seed = UInt64(parts[1]) else { return nil }
      self = .seed(seed, .priorities(depth: depth))
    default: return nil
    }
  }
}

/// SplitMix64: the same numbers for the same seed, everywhere.
public struct Lot: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(_ seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
