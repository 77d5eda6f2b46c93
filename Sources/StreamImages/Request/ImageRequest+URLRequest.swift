internal import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension ImageRequest {
  /// A request made of one of Foundation's.
  ///
  /// URL, method and headers are taken over, and of the caching policies those that mean something here: what says to
  /// reload becomes ``Options/reloadIgnoringCachedData``, what says not to load, ``Options/returnCacheDataDontLoad``.
  ///
  /// - Returns: `nil` if there is something that cannot be done: a method other than GET and HEAD, or a body. A
  ///   request without a URL fails when it is loaded.
  public init?(
    urlRequest request: URLRequest, processors: [any ImageProcessing] = [], priority: Priority = .normal,
    options: Options = []
  ) {
    guard let method = DataRequest.Method(rawValue: request.httpMethod ?? "GET"), request.httpBody == nil,
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
    self.init(
      source: request.url.map { .address(DataRequest(url: $0, method: method, headers: headers)) }
        ?? .missing,
      processors: processors, priority: priority, options: options)
  }
}
