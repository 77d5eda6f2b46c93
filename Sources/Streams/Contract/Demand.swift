extension Subscribers {
  /// A number of values that a subscriber requests.
  ///
  /// Demand adds up without overflow. A sum that is too large becomes ``unlimited``, which stays unlimited whatever is
  /// added or subtracted. A demand is never negative: creating one traps (law P3).
  @frozen
  public struct Demand: Equatable, Hashable, Sendable {
    /// Unlimited is one more than the greatest finite demand, so the order of raw values is the order of demands.
    @usableFromInline let rawValue: UInt

    @inlinable
    init(rawValue: UInt) { self.rawValue = rawValue < 1 << 63 ? rawValue : 1 << 63 }

    /// A demand for every value.
    @inlinable public static var unlimited: Demand { Demand(rawValue: 1 << 63) }

    /// A demand for no values.
    @inlinable public static var none: Demand { Demand(rawValue: 0) }

    /// Creates a demand for `value` values. Traps if `value` is negative.
    @inlinable
    public static func max(_ value: Int) -> Demand {
      guard value >= 0 else { Violation.negativeDemand(value) }
      return Demand(rawValue: UInt(value))
    }

    /// The number of values, or `nil` for ``unlimited``.
    @inlinable
    public var max: Int? { isUnlimited ? nil : Int(rawValue) }

    @inlinable
    package var isUnlimited: Bool { rawValue == 1 << 63 }
  }
}

// MARK: Arithmetic

extension Subscribers.Demand {
  @inlinable
  public static func + (left: Self, right: Self) -> Self {
    let (sum, overflow) = left.rawValue.addingReportingOverflow(right.rawValue)
    return overflow ? .unlimited : Self(rawValue: sum)
  }

  @inlinable
  public static func += (left: inout Self, right: Self) { left = left + right }

  @inlinable
  public static func + (left: Self, right: Int) -> Self {
    if left.isUnlimited { return .unlimited }
    let (sum, overflow) = Int(left.rawValue).addingReportingOverflow(right)
    return overflow ? .unlimited : max(sum)
  }

  @inlinable
  public static func += (left: inout Self, right: Int) { left = left + right }

  /// Subtracts a demand. A result below zero traps.
  ///
  /// Unlimited minus anything is unlimited. A finite demand minus unlimited is none.
  @inlinable
  public static func - (left: Self, right: Self) -> Self {
    if left.isUnlimited { return .unlimited }
    if right.isUnlimited { return .none }
    return left - Int(right.rawValue)
  }

  @inlinable
  public static func -= (left: inout Self, right: Self) { left = left - right }

  /// Subtracts a number. A result below zero traps.
  ///
  /// Unlimited minus anything is unlimited. A difference above `Int.max` is none, as in Combine.
  @inlinable
  public static func - (left: Self, right: Int) -> Self {
    if left.isUnlimited { return .unlimited }
    let (difference, overflow) = Int(left.rawValue).subtractingReportingOverflow(right)
    return overflow ? .none : max(difference)
  }

  @inlinable
  public static func -= (left: inout Self, right: Int) { left = left - right }

  @inlinable
  public static func * (left: Self, right: Int) -> Self {
    if left.isUnlimited { return .unlimited }
    guard right >= 0 else { Violation.negativeDemand(right) }
    let (product, overflow) = left.rawValue.multipliedReportingOverflow(by: UInt(right))
    return overflow ? .unlimited : Self(rawValue: product)
  }

  @inlinable
  public static func *= (left: inout Self, right: Int) { left = left * right }
}

// MARK: Order

extension Subscribers.Demand: Comparable {
  @inlinable public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension Subscribers.Demand {
  @inlinable public static func == (left: Self, right: Int) -> Bool { left.max == right }
  @inlinable public static func != (left: Self, right: Int) -> Bool { left.max != right }
  @inlinable public static func < (left: Self, right: Int) -> Bool { left.max.map { $0 < right } ?? false }
  @inlinable public static func <= (left: Self, right: Int) -> Bool { left.max.map { $0 <= right } ?? false }
  @inlinable public static func > (left: Self, right: Int) -> Bool { left.max.map { $0 > right } ?? true }
  @inlinable public static func >= (left: Self, right: Int) -> Bool { left.max.map { $0 >= right } ?? true }

  @inlinable public static func == (left: Int, right: Self) -> Bool { right == left }
  @inlinable public static func != (left: Int, right: Self) -> Bool { right != left }
  @inlinable public static func < (left: Int, right: Self) -> Bool { right > left }
  @inlinable public static func <= (left: Int, right: Self) -> Bool { right >= left }
  @inlinable public static func > (left: Int, right: Self) -> Bool { right < left }
  @inlinable public static func >= (left: Int, right: Self) -> Bool { right <= left }
}

extension Subscribers.Demand: CustomStringConvertible {
  public var description: String { max.map { "max(\($0))" } ?? "unlimited" }
}

extension Subscribers.Demand: Codable {
  /// Decodes the number that ``encode(to:)`` encoded. A number above every finite demand decodes as unlimited.
  public init(from decoder: any Decoder) throws {
    self.init(rawValue: try decoder.singleValueContainer().decode(UInt.self))
  }

  /// Encodes one unsigned number. Unlimited is `Int.max + 1`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}
