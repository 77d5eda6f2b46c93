internal import Foundation

extension HTTPCache {
  /// Sends a conditional request, and stores the response if that is allowed.
  func fetch(
    _ request: DataRequest, _ found: ResponseStore.Found, _ permit: StorePermit<DataCacheKey?>,
    _ limits: LoadLimits
  ) async throws(DataLoadingError) -> LoadedData {
    let conditional = Self.conditional(request, found)
    let requestTime = now()
    let loaded: LoadedData
    do throws(DataLoadingError) { loaded = try await loader.load(conditional, limits: limits) } catch {
      return try await substitute(for: error, request, found, permit, limits, requestTime)
    }
    if loaded.head.status == 304, conditional.headers != request.headers {
      loaded.body.cancel()
      guard
        let confirmed = await responses.confirm(
          loaded.head, for: request, found, permit, requestTime, now())
      else {
        // The server confirmed a response that is not stored, or not any more. The whole response is needed.
        return try await fetch(request, ResponseStore.Found(key: found.key), permit, limits)
      }
      return try serve(confirmed, .revalidated, request, limits)
    }
    var answer = loaded
    answer.head.cacheStatus = .miss
    guard mayKeep(loaded.head, request) else {
      // The stored response is outdated.
      if found.response != nil { await responses.remove(request) }
      return answer
    }
    return keeping(answer, request, found, permit, requestTime)
  }

  /// Returns a stale response in place of an error. Otherwise throws the error, and stores its head if that is
  /// allowed.
  private func substitute(
    for error: DataLoadingError, _ request: DataRequest, _ found: ResponseStore.Found,
    _ permit: StorePermit<DataCacheKey?>, _ limits: LoadLimits, _ requestTime: Int
  ) async throws(DataLoadingError) -> LoadedData {
    if let response = found.response, response.suffices(for: request), error.isOutage,
      Reuse.standsIn(response, for: HTTPCacheControl(request.headers), policy, now: now())
    {
      return try serve(response, .staleAfterError, request, limits)
    }
    if case .status(let status, let head) = error, [404, 410].contains(status), mayKeep(head, request) {
      let response = StoredResponse(head, body: nil, requestTime: requestTime, responseTime: now())
      await permit.write(to: found.key) { await responses.put(response, for: request, found) }
    }
    throw error
  }

  private func keeping(
    _ loaded: LoadedData, _ request: DataRequest, _ found: ResponseStore.Found,
    _ permit: StorePermit<DataCacheKey?>, _ requestTime: Int
  ) -> LoadedData {
    let (head, responseTime) = (loaded.head, now())
    let body = RecordedChunks(loaded.body, limit: maximumEntryByteCount) { [responses] body in
      let response = StoredResponse(head, body: body, requestTime: requestTime, responseTime: responseTime)
      await permit.write(to: found.key) { await responses.put(response, for: request, found) }
    }
    return LoadedData(head: head, body: body)
  }

  private func mayKeep(_ head: LoadedHead, _ request: DataRequest) -> Bool {
    // A content coding that was not requested is not decoded here, and the next request may not accept it.
    guard !head.isContentCoded || request.allowsContentCoding else { return false }
    let response = StoredResponse(head, body: nil, requestTime: now(), responseTime: now())
    let control = response.control
    guard !control.has("no-store"), response.varying != nil else { return false }
    guard policy == .respectingHTTP else { return head.status == 200 }
    guard head.status != 206, head.status != 304, (200..<500).contains(head.status) else { return false }
    let isExplicit = control.has("max-age") || response.headers["Expires"] != nil || control.has("public")
    guard isExplicit || Self.isHeuristicallyCacheable(head.status) else { return false }
    // Without one of these, the response could never be used.
    let isUseful = Freshness(response, policy, now: now()).lifetime > 0 || response.hasValidator
    return isUseful || control.has("stale-while-revalidate") || control.has("stale-if-error")
  }

  private static func conditional(_ request: DataRequest, _ found: ResponseStore.Found) -> DataRequest {
    var conditional = request
    let known = found.response?.hasBody == true ? found.response : nil
    let tags = ([known?.tagToSend].compactMap(\.self) + found.otherTags)
    guard !tags.isEmpty || known?.hasValidator == true else { return request }
    if !tags.isEmpty { conditional.headers["If-None-Match"] = tags.joined(separator: ", ") }
    if let modified = known?.headers["Last-Modified"] { conditional.headers["If-Modified-Since"] = modified }
    conditional.acceptedStatuses.insert(304)
    return conditional
  }
}

extension DataLoadingError {
  /// Whether the server could not be reached, or reported a failure of its own.
  fileprivate var isOutage: Bool {
    switch self {
    case .cannotResolve, .cannotConnect, .connectionLost, .timedOut, .tls: true
    case .status(let status, _): (500...599).contains(status)
    default: false
    }
  }
}
