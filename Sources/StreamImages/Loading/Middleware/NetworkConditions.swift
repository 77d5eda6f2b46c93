/// What the program knows of its network. Linux does not say; whoever knows, from NetworkManager or from a setting,
/// says it here.
public protocol NetworkConditions: Sendable {
  /// Whether the user wants to save data.
  var isConstrained: Bool { get }

  /// Whether data costs money, as on a mobile network.
  var isExpensive: Bool { get }
}

extension NetworkConditions {
  func check(_ request: DataRequest) throws(DataLoadingError) {
    if !request.allowsConstrainedNetworkAccess, isConstrained { throw .networkUnavailable(.constrained) }
    if !request.allowsExpensiveNetworkAccess, isExpensive { throw .networkUnavailable(.expensive) }
  }
}

/// Refuses requests that the network is not good enough for, before anything is sent.
///
/// ```swift
/// let loader = CurlLoader.shared.with(NetworkConditionsMiddleware(settings))
/// ```
///
/// A pipeline does the same by itself, if its configuration has ``ImagePipeline/Configuration/networkConditions``.
public struct NetworkConditionsMiddleware: DataLoadingMiddleware {
  private let conditions: any NetworkConditions

  /// Asks `conditions` about each request.
  public init(_ conditions: any NetworkConditions) { self.conditions = conditions }

  /// Throws ``DataLoadingError/networkUnavailable(_:)`` for what ``DataRequest/allowsConstrainedNetworkAccess`` or
  /// ``DataRequest/allowsExpensiveNetworkAccess`` forbids.
  public func load(
    _ request: DataRequest, limits: LoadLimits, next: any DataLoading
  ) async throws(DataLoadingError) -> LoadedData {
    try conditions.check(request)
    return try await next.load(request, limits: limits)
  }
}
