internal import Foundation

extension HTTPCache {
  /// Follows redirects by the rules of the network loader, and looks up each step in the cache.
  func loadThroughRedirects(
    _ request: DataRequest, _ limits: LoadLimits
  ) async throws(DataLoadingError) -> LoadedData {
    var chain = try RedirectChain(request, limits: limits)
    var step = request
    step.allowsRedirects = false
    step.acceptedStatuses.formUnion(LoadedHead.redirects)
    let start = ContinuousClock.now
    var count = 0
    while true {
      var rest = chain.limits
      rest.totalTimeout -= start.duration(to: .now)
      guard rest.totalTimeout > .zero else { throw .timedOut(.total) }
      var loaded: LoadedData
      do throws(DataLoadingError) { loaded = try await loadOnce(step, rest) } catch {
        throw count == 0 ? error : error.afterRedirect
      }
      if count > 0 { loaded.head.followed(count) }
      guard let location = try Self.location(of: loaded, request) else { return loaded }
      await Self.finish(loaded)
      chain = try chain.following(location)
      guard let url = URL(string: chain.target) else { throw .redirectRefused(.badLocation) }
      (step.url, step.headers) = (url, chain.headers)
      count += 1
    }
  }

  /// Returns the target of a redirect, or `nil` if the response is accepted as it is. Throws for any other response.
  private static func location(
    of loaded: LoadedData, _ request: DataRequest
  ) throws(DataLoadingError) -> String? {
    let status = loaded.head.status
    let isRedirect = LoadedHead.redirects.contains(status)
    do throws(DataLoadingError) {
      if isRedirect, let location = try loaded.head.headers.location { return location }
      if request.acceptedStatuses.contains(status) { return nil }
      throw isRedirect ? .redirectRefused(.missingLocation) : .status(status, head: loaded.head)
    } catch {
      loaded.body.cancel()
      throw error
    }
  }

  /// Reads a short body to its end, so that its connection can be reused and the redirect can be stored.
  private static func finish(_ redirect: LoadedData) async {
    guard let count = redirect.head.expectedByteCount, count <= 64 << 10 else {
      return redirect.body.cancel()
    }
    // A failure of the body does not matter, because the target is known.
    while let chunk = try? await redirect.body.next(), !chunk.isEmpty {}
  }
}

extension LoadedHead {
  fileprivate mutating func followed(_ count: Int) {
    wasRedirected = true
    timings?.redirectCount = count
  }
}

extension DataLoadingError {
  /// The error of the first URL, turned into one of a redirect.
  fileprivate var afterRedirect: DataLoadingError {
    switch self {
    case .hostRefused(let host): return .redirectRefused(.host(host))
    case .badURL: return .redirectRefused(.badLocation)
    case .status(let status, var head):
      head.wasRedirected = true
      return .status(status, head: head)
    default: return self
    }
  }
}
