/// Describes the network. Linux does not report these conditions; implement this protocol with NetworkManager or a
/// setting of your program.
public protocol NetworkConditions: Sendable {
  /// Whether the user wants to save data.
  var isConstrained: Bool { get }

  /// Whether the network is metered, like a mobile network.
  var isExpensive: Bool { get }
}

extension NetworkConditions {
  func check(_ request: DataRequest) throws(DataLoadingError) {
    if !request.allowsConstrainedNetworkAccess, isConstrained { throw .networkUnavailable(.constrained) }
    if !request.allowsExpensiveNetworkAccess, isExpensive { throw .networkUnavailable(.expensive) }
  }
}

/// Refuses requests that the network does not satisfy, before anything is sent.
///
/// ```swift
/// let loader = CurlLoader.shared.with(NetworkConditionsMiddleware(settings))
/// ```
///
/// A pipeline does the same if its configuration has ``ImagePipeline/Configuration/networkConditions``.
public struct NetworkConditionsMiddleware: DataLoadingMiddleware {
  private let conditions: any NetworkConditions

  /// Creates a middleware that checks `conditions` for each request.
  public init(_ conditions: any NetworkConditions) { self.conditions = conditions }

  /// Throws ``DataLoadingError/networkUnavailable(_:)`` if ``DataRequest/allowsConstrainedNetworkAccess`` or
  /// ``DataRequest/allowsExpensiveNetworkAccess`` forbids the request.
  public func load(
    _ request: DataRequest, limits: LoadLimits, next: any DataLoading
  ) async throws(DataLoadingError) -> LoadedData {
    try conditions.check(request)
    return try await next.load(request, limits: limits)
  }
}
