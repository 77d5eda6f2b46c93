/// How far a load is.
public struct LoadProgress: Hashable, Sendable {
  /// How many bytes have come.
  public var completed: Int

  /// How many there are to be, as far as the server says; `nil` if it does not.
  public var total: Int?

  /// So many bytes of so many, if that is known.
  public init(completed: Int = 0, total: Int? = nil) {
    self.completed = completed
    self.total = total
  }

  /// From 0 to 1; 0 as long as the total is not known.
  public var fraction: Double {
    guard let total, total > 0 else { return 0 }
    return min(max(Double(completed) / Double(total), 0), 1)
  }
}

extension LoadProgress: CustomStringConvertible {
  public var description: String { "\(completed) of \(total.map { "\($0)" } ?? "?") bytes" }
}
