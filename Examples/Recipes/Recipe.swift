/// A way to put streams of pictures together, to be read and to be run.
struct Recipe: Sendable {
  typealias Method = @MainActor @Sendable (Kitchen) async throws -> Void

  /// What it is called on the command line.
  let name: String
  /// What it is for, in one line.
  let summary: String
  let method: Method

  init(_ name: String, _ summary: String, method: @escaping Method) {
    self.name = name
    self.summary = summary
    self.method = method
  }

  static let all: [Recipe] = [
    lowThenHigh, firstAvailable, staleWhileRevalidate, severalAtOnce, retry, activity, reusedCell, lowData,
    atOnce,
    failureImage, progressive, placeholder, fallback, timeout, prefetch, search, visibleSize, collage, save,
    authorization, batch, refresh, cachedVariant, animation, drawing,
  ]
}
