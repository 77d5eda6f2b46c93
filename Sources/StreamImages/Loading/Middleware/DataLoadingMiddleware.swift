/// A step between the pipeline and a loader: it can change requests, respond to them itself, or retry them.
///
/// ```swift
/// let loader = CurlLoader.shared.with(RetryMiddleware(), signing)
/// ```
///
/// A middleware must keep the guarantees of ``DataLoading``. It must not request a body again that is being read, and
/// it must pass on cancellation.
public protocol DataLoadingMiddleware: Sendable {
  /// Responds to `request`, or passes a request to `next`.
  ///
  /// `next` is the next middleware or the loader. Whichever responds must enforce `limits`.
  func load(
    _ request: DataRequest, limits: LoadLimits, next: any DataLoading
  ) async throws(DataLoadingError) -> LoadedData
}

extension DataLoading {
  /// Returns this loader behind middlewares. The first one receives a request first, and its response last.
  public func with(_ middlewares: any DataLoadingMiddleware...) -> any DataLoading {
    middlewares.reversed().reduce(self as any DataLoading) { Layer(middleware: $1, next: $0) }
  }
}

private struct Layer: DataLoading {
  let middleware: any DataLoadingMiddleware
  let next: any DataLoading

  func load(_ request: DataRequest, limits: LoadLimits) async throws(DataLoadingError) -> LoadedData {
    guard let partition = request.cachePartition else {
      return try await middleware.load(request, limits: limits, next: next)
    }
    return try await middleware.load(
      request, limits: limits, next: PartitionedLoader(loader: next, partition: partition))
  }

  func forget(_ request: DataRequest) async { await next.forget(request) }
  func forgetAll() async { await next.forgetAll() }
}

/// Keeps the partition of a request if a middleware makes a new one, such as an alternative, and does not copy it.
private struct PartitionedLoader: DataLoading {
  let loader: any DataLoading
  let partition: String

  func load(_ request: DataRequest, limits: LoadLimits) async throws(DataLoadingError) -> LoadedData {
    try await loader.load(partitioned(request), limits: limits)
  }

  func forget(_ request: DataRequest) async { await loader.forget(partitioned(request)) }
  func forgetAll() async { await loader.forgetAll() }

  private func partitioned(_ request: DataRequest) -> DataRequest {
    var request = request
    if request.cachePartition == nil { request.cachePartition = partition }
    return request
  }
}

/// Changes each request before it is sent, for example to sign it or to add headers.
public struct RequestMiddleware: DataLoadingMiddleware {
  private let change: @Sendable (inout DataRequest) async throws(DataLoadingError) -> Void

  /// Creates a middleware that changes or refuses requests.
  ///
  /// - Parameter change: Changes the request, or throws to refuse it; use ``DataLoadingError/refused(reason:)``. It is
  ///   not called again for redirects, so mark headers that are meant for one origin as secret.
  public init(_ change: @escaping @Sendable (inout DataRequest) async throws(DataLoadingError) -> Void) {
    self.change = change
  }

  public func load(
    _ request: DataRequest, limits: LoadLimits, next: any DataLoading
  ) async throws(DataLoadingError) -> LoadedData {
    var changed = request
    try await change(&changed)
    if Task.isCancelled { throw .cancelled }
    return try await next.load(changed, limits: limits)
  }
}

/// Tries other URLs when a load fails.
public struct AlternativesMiddleware: DataLoadingMiddleware {
  private let alternatives: @Sendable (DataRequest, DataLoadingError) -> [DataRequest]

  /// Creates a middleware that loads something else when a load has failed.
  ///
  /// - Parameter alternatives: Returns the requests to try in place of a failed one, in order. The last error is
  ///   thrown. A pipeline stores the result under the key of the first request.
  public init(_ alternatives: @escaping @Sendable (DataRequest, DataLoadingError) -> [DataRequest]) {
    self.alternatives = alternatives
  }

  public func load(
    _ request: DataRequest, limits: LoadLimits, next: any DataLoading
  ) async throws(DataLoadingError) -> LoadedData {
    var failure: DataLoadingError
    do throws(DataLoadingError) { return try await next.load(request, limits: limits) } catch {
      failure = error
    }
    guard !failure.isCancellation else { throw failure }
    for alternative in alternatives(request, failure) {
      do throws(DataLoadingError) { return try await next.load(alternative, limits: limits) } catch {
        failure = error
        if failure.isCancellation { break }
      }
    }
    throw failure
  }
}

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
