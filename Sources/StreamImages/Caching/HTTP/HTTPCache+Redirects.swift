internal import Foundation

extension HTTPCache {
  private static let redirects: Set = [301, 302, 303, 307, 308]

  /// Follows redirects by the rules of the network's loader, and asks the cache about each step.
  func loadThroughRedirects(
    _ request: DataRequest, _ limits: LoadLimits
  ) async throws(DataLoadingError) -> LoadedData {
    var journey = try Journey(request, limits: limits)
    var step = request
    step.allowsRedirects = false
    step.acceptedStatuses.formUnion(Self.redirects)
    let start = ContinuousClock.now
    var count = 0
    while true {
      var rest = limits
      rest.totalTimeout -= start.duration(to: .now)
      guard rest.totalTimeout > .zero else { throw .timedOut(.total) }
      var loaded = try await loadOnce(step, rest)
      guard Self.redirects.contains(loaded.head.status), let location = loaded.head.headers["Location"] else {
        guard request.acceptedStatuses.contains(loaded.head.status) else {
          loaded.body.cancel()
          throw .status(loaded.head.status, head: loaded.head)
        }
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

  /// A short body is worth waiting for: its connection can be used again, and it can be kept.
  private static func finish(_ redirect: LoadedData) async {
    guard let count = redirect.head.expectedByteCount, count <= 64 << 10 else {
      return redirect.body.cancel()
    }
    // What is wrong with it does not matter: it says where to go.
    while let chunk = try? await redirect.body.next(), !chunk.isEmpty {}
  }
}
