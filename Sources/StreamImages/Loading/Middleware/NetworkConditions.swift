/// What the program knows of its network. Linux does not say; whoever knows, from NetworkManager or from a setting,
/// says it here.
public protocol NetworkConditions: Sendable {
  /// Whether the user wants to save data.
  var isConstrained: Bool { get }

  /// Whether data costs money, as on a mobile network.
  var isExpensive: Bool { get }
}

/// Refuses requests that the network is not good enough for, before anything is sent.
///
/// ```swift
/// let loader = CurlLoader.shared.with(NetworkConditionsMiddleware(settings))
/// ```
public struct NetworkConditionsMiddleware: DataLoadingMiddleware {
  private let conditions: any NetworkConditions

  /// Asks `conditions` about each request.
  public init(_ conditions: any NetworkConditions) { self.conditions = conditions }

  /// Throws ``DataLoadingError/networkUnavailable(_:)`` for what ``DataRequest/allowsConstrainedNetworkAccess`` or
  /// ``DataRequest/allowsExpensiveNetworkAccess`` forbids.
  public func load(
    _ request: DataRequest, limits: LoadLimits, next: any DataLoading
  ) async throws(DataLoadingError) -> LoadedData {
    if !request.allowsConstrainedNetworkAccess, conditions.isConstrained {
      throw .networkUnavailable(.constrained)
    }
    if !request.allowsExpensiveNetworkAccess, conditions.isExpensive { throw .networkUnavailable(.expensive) }
    return try await next.load(request, limits: limits)
  }
}
