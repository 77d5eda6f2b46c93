internal import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension ImageRequest {
  /// Creates a request from a `URLRequest`.
  ///
  /// It takes over URL, method, headers, body, and whether a metered network may be used. A caching policy that
  /// reloads becomes ``Options/reloadIgnoringCachedData``, and one that does not load becomes
  /// ``Options/returnCacheDataDontLoad``.
  ///
  /// - Returns: `nil` for a method that ``DataRequest/Method`` does not have, or a body stream. A request without a
  ///   URL fails when it is loaded.
  public init?(
    urlRequest request: URLRequest, processors: [any ImageProcessing] = [], priority: Priority = .normal,
    options: Options = []
  ) {
    guard let method = DataRequest.Method(rawValue: request.httpMethod ?? "GET"),
      request.httpBodyStream == nil
    else { return nil }
    var options = options
    switch request.cachePolicy {
    case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData, .reloadRevalidatingCacheData:
      options.formUnion(.reloadIgnoringCachedData)
    case .returnCacheDataDontLoad: options.insert(.returnCacheDataDontLoad)
    case .useProtocolCachePolicy, .returnCacheDataElseLoad: break
    @unknown default: break
    }
    let fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
    let headers = HeaderFields(fields.map { HeaderFields.Field(name: $0.key, value: $0.value) })
    let address = request.url.map { url in
      var address = DataRequest(url: url, method: method, headers: headers, body: request.httpBody)
      address.allowsExpensiveNetworkAccess = request.allowsCellularAccess
      return address
    }
    self.init(
      source: address.map { .address($0) } ?? .missing, processors: processors, priority: priority,
      options: options)
  }
}
