package import Foundation
public import StreamImages

/// Loads objects of a store that speaks S3.
///
/// ```swift
/// let store = S3Endpoint(url: URL(string: "https://minio.example")!, credentials: .file())
/// configuration.dataLoader = SchemeLoader(network: S3Loader(store))
/// ```
///
/// It loads `s3://bucket/key` URLs, and signs requests to the URLs of the endpoint. All other URLs, and those that have
/// a signature in their query, are passed on to the loader behind it, unchanged. Requests are signed with Signature
/// Version 4, in a header. A redirect of the store is not followed, because the signature is for one address: its
/// status is an error.
///
/// A missing object fails with the status 404, or 403 if the store does not tell. If the credentials are missing, loads fail with
/// `DataLoadingError.refused`.
public struct S3Loader: DataLoading {
  private let endpoint: S3Endpoint
  private let loader: any DataLoading
  private let credentials: CurrentCredentials
  private let now: @Sendable () -> Date

  /// Creates a loader.
  ///
  /// - Parameters:
  ///   - endpoint: The store.
  ///   - loader: Sends the requests. To retry, wrap this loader and not that one: `S3Loader(endpoint).with(RetryMiddleware())`.
  public init(_ endpoint: S3Endpoint, loader: any DataLoading = CurlLoader.shared) {
    self.init(endpoint, loader: loader, now: { Date() })
  }

  package init(_ endpoint: S3Endpoint, loader: any DataLoading, now: @escaping @Sendable () -> Date) {
    (self.endpoint, self.loader, self.now) = (endpoint, loader, now)
    credentials = CurrentCredentials(endpoint.credentials)
  }

  public func load(_ request: DataRequest, limits: LoadLimits) async throws(DataLoadingError) -> LoadedData {
    let address: S3Endpoint.Address
    switch endpoint.place(of: request.url) {
    case .here(let found): address = found
    case .invalid: throw .badURL("\(request)")
    case .elsewhere: return try await loader.load(request, limits: limits)
    }
    let (signed, used) = try await signed(request, address)
    do throws(DataLoadingError) { return try await loader.load(signed, limits: limits) } catch {
      if case .status(401, _) = error { await credentials.forget(used) }
      if case .status(403, _) = error { await credentials.forget(used) }
      throw error
    }
  }

  public func forget(_ request: DataRequest) async {
    var request = request
    if case .here(let address) = endpoint.place(of: request.url), let url = address.url { request.url = url }
    await loader.forget(request)
  }

  public func forgetAll() async { await loader.forgetAll() }

  private func signed(
    _ request: DataRequest, _ address: S3Endpoint.Address
  ) async throws(DataLoadingError) -> (DataRequest, S3Credentials?) {
    guard let url = address.url else { throw .badURL("\(request)") }
    let credentials: S3Credentials?
    do { credentials = try await self.credentials.value(now: now()) } catch {
      if Task.isCancelled { throw .cancelled }
      throw .refused(reason: "no credentials: \(error)")
    }
    var signed = request
    (signed.url, signed.allowsRedirects) = (url, false)
    if let credentials {
      S3Signature(credentials: credentials, region: endpoint.region, time: now())
        .sign(
          &signed.headers, method: request.method.rawValue, address: address, body: request.body ?? Data())
    }
    return (signed, credentials)
  }
}
