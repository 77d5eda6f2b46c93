internal import Foundation

extension HTTPCache {
  /// Follows redirects by the rules of the network's loader, and asks the cache about each step.
  func loadThroughRedirects(
    _ request: DataRequest, _ limits: LoadLimits
  ) async throws(DataLoadingError) -> LoadedData {
    var journey = try Journey(request, limits: limits)
    var step = request
    step.allowsRedirects = false
    step.acceptedStatuses.formUnion(LoadedHead.redirects)
    let start = ContinuousClock.now
    var count = 0
    while true {
      var rest = limits
      rest.totalTimeout -= start.duration(to: .now)
      guard rest.totalTimeout > .zero else { throw .timedOut(.total) }
      var loaded: LoadedData
      do throws(DataLoadingError) { loaded = try await loadOnce(step, rest) } catch {
        throw count == 0 ? error : error.afterRedirect
      }
      guard let location = try Self.location(of: loaded, request) else {
        if count > 0 { loaded.head.timings?.redirectCount = count }
        return loaded
      }
      await Self.finish(loaded)
      journey = try journey.following(location)
      guard let url = URL(string: journey.target) else { throw .redirectRefused(.badLocation) }
      (step.url, step.headers) = (url, journey.headers)
      count += 1
    }
  }

  /// Where an answer leads; `nil` if it is what was asked for. Throws if it is neither.
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

  /// A short body is worth waiting for: its connection can be used again, and it can be kept.
  private static func finish(_ redirect: LoadedData) async {
    guard let count = redirect.head.expectedByteCount, count <= 64 << 10 else {
      return redirect.body.cancel()
    }
    // What is wrong with it does not matter: it says where to go.
    while let chunk = try? await redirect.body.next(), !chunk.isEmpty {}
  }
}

extension DataLoadingError {
  /// What the loader reports of a URL, for one that a server chose.
  fileprivate var afterRedirect: DataLoadingError {
    switch self {
    case .hostRefused(let host): .redirectRefused(.host(host))
    case .badURL: .redirectRefused(.badLocation)
    default: self
    }
  }
}
