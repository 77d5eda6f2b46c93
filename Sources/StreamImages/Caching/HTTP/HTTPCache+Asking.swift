internal import Foundation

extension HTTPCache {
  /// Asks with the validators of what was found, and keeps the answer if it may be kept.
  func fetch(
    _ request: DataRequest, _ found: ResponseShelf.Found, _ permit: StorePermit<DataCacheKey>,
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
      guard let confirmed = await shelf.confirm(loaded.head, found, permit, requestTime, now()) else {
        // It confirms what is not here, or not here any more: then the whole answer is wanted.
        return try await fetch(request, ResponseShelf.Found(key: found.key), permit, limits)
      }
      return try serve(confirmed, .revalidated, request, limits)
    }
    var answer = loaded
    answer.head.cacheStatus = .miss
    guard mayKeep(loaded.head, request) else {
      // What was stored is no longer what the server would say.
      if found.response != nil { await shelf.remove(request) }
      return answer
    }
    return keeping(answer, request, found, permit, requestTime)
  }

  /// A stored answer instead of an error, or the error, which may be worth keeping itself.
  private func substitute(
    for error: DataLoadingError, _ request: DataRequest, _ found: ResponseShelf.Found,
    _ permit: StorePermit<DataCacheKey>, _ limits: LoadLimits, _ requestTime: Int
  ) async throws(DataLoadingError) -> LoadedData {
    if let response = found.response, error.isOutage,
      Reuse.standsIn(response, for: CacheControl(request.headers), policy, now: now())
    {
      return try serve(response, .staleAfterError, request, limits)
    }
    if case .status(let status, let head) = error, [404, 410].contains(status), mayKeep(head, request) {
      let response = StoredResponse(head, body: nil, requestTime: requestTime, responseTime: now())
      await permit.write(to: found.key) { await shelf.put(response, for: request, found) }
    }
    throw error
  }

  private func keeping(
    _ loaded: LoadedData, _ request: DataRequest, _ found: ResponseShelf.Found,
    _ permit: StorePermit<DataCacheKey>, _ requestTime: Int
  ) -> LoadedData {
    let (head, responseTime) = (loaded.head, now())
    let body = KeptChunks(loaded.body, limit: maximumEntryByteCount) { [shelf] body in
      let response = StoredResponse(head, body: body, requestTime: requestTime, responseTime: responseTime)
      await permit.write(to: found.key) { await shelf.put(response, for: request, found) }
    }
    return LoadedData(head: head, body: body)
  }

  private func mayKeep(_ head: LoadedHead, _ request: DataRequest) -> Bool {
    // A coding that was not asked for is not ours to undo, and the next who asks may not know it.
    guard !head.isContentCoded || request.allowsContentCoding else { return false }
    let response = StoredResponse(head, body: nil, requestTime: now(), responseTime: now())
    let control = response.control
    guard !control.has("no-store"), response.varying != nil else { return false }
    guard policy == .respectingHTTP else { return head.status == 200 }
    guard head.status != 206, head.status != 304, (200..<500).contains(head.status) else { return false }
    let isExplicit = control.has("max-age") || response.headers["Expires"] != nil || control.has("public")
    guard isExplicit || Self.isHeuristicallyCacheable(head.status) else { return false }
    // Without one of these it would never be of use.
    let isUseful = Freshness(response, policy, now: now()).lifetime > 0 || response.hasValidator
    return isUseful || control.has("stale-while-revalidate") || control.has("stale-if-error")
  }

  private static func conditional(_ request: DataRequest, _ found: ResponseShelf.Found) -> DataRequest {
    var conditional = request
    let known = found.response?.hasBody == true ? found.response : nil
    let tags = ([known?.entityTag?.text].compactMap(\.self) + found.otherTags)
    guard !tags.isEmpty || known?.hasValidator == true else { return request }
    if !tags.isEmpty { conditional.headers["If-None-Match"] = tags.joined(separator: ", ") }
    if let modified = known?.headers["Last-Modified"] { conditional.headers["If-Modified-Since"] = modified }
    conditional.acceptedStatuses.insert(304)
    return conditional
  }
}

extension DataLoadingError {
  /// Whether the server is there, and well, or not.
  fileprivate var isOutage: Bool {
    switch self {
    case .cannotResolve, .cannotConnect, .connectionLost, .timedOut, .tls: true
    case .status(let status, _): (500...599).contains(status)
    default: false
    }
  }
}
