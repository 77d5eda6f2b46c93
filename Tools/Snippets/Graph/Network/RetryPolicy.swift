/// When a package for networks loads once more.
public struct RetryPolicy {
  public let limit: Int

  public init(limit: Int) { self.limit = limit }
}
