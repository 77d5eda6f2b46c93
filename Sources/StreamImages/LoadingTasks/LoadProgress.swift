/// The progress of a load.
public struct LoadProgress: Hashable, Sendable {
  /// The number of bytes received.
  public var completed: Int

  /// The expected number of bytes; `nil` if it is unknown.
  public var total: Int?

  /// Creates a progress.
  public init(completed: Int = 0, total: Int? = nil) {
    self.completed = completed
    self.total = total
  }

  /// The progress from 0 to 1; 0 if it is unknown.
  public var fraction: Double {
    guard let total, total > 0 else { return 0 }
    return min(max(Double(completed) / Double(total), 0), 1)
  }
}

extension LoadProgress: CustomStringConvertible {
  public var description: String { "\(completed) of \(total.map { "\($0)" } ?? "?") bytes" }
}
