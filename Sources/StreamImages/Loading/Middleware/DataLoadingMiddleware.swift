/// Something between the pipeline and a loader: changes requests, answers them itself, or asks again.
///
/// ```swift
/// let loader = CurlLoader.shared.with(RetryMiddleware(), signing)
/// ```
///
/// A middleware passes on the promises of ``DataLoading``: it does not ask twice for a body that somebody pulls, and
/// lets cancelling through.
public protocol DataLoadingMiddleware: Sendable {
  /// Answers `request`, or hands one on to `next`.
  ///
  /// `next` is what comes after: other middlewares, then the loader. `limits` hold for whoever answers.
  func load(
    _ request: DataRequest, limits: LoadLimits, next: any DataLoading
  ) async throws(DataLoadingError) -> LoadedData
}

extension DataLoading {
  /// This loader behind middlewares. The first sees a request first and its answer last.
  public func with(_ middlewares: any DataLoadingMiddleware...) -> any DataLoading {
    middlewares.reversed().reduce(self as any DataLoading) { Layer(middleware: $1, next: $0) }
  }
}

private struct Layer: DataLoading {
  let middleware: any DataLoadingMiddleware
  let next: any DataLoading

  func load(_ request: DataRequest, limits: LoadLimits) async throws(DataLoadingError) -> LoadedData {
    try await middleware.load(request, limits: limits, next: next)
  }

  func forget(_ request: DataRequest) async { await next.forget(request) }
  func forgetAll() async { await next.forgetAll() }
}

/// Changes each request before it is sent: to sign it, to add headers, to go elsewhere.
public struct RequestMiddleware: DataLoadingMiddleware {
  private let change: @Sendable (inout DataRequest) async throws(DataLoadingError) -> Void

  /// One that changes requests, or refuses them.
  ///
  /// - Parameter change: Throwing refuses the request; ``DataLoadingError/refused(reason:)`` is for that. What a
  ///   redirect leads to is not asked about again: mark headers that are for one origin as secret.
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

/// Tries other addresses when one fails.
public struct AlternativesMiddleware: DataLoadingMiddleware {
  private let alternatives: @Sendable (DataRequest, DataLoadingError) -> [DataRequest]

  /// One that asks for something else when a load has failed.
  ///
  /// - Parameter alternatives: What to try instead of a request that failed, in this order. The last error is thrown.
  ///   What is loaded is the picture of the first request, and kept as such.
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
