public import Foundation

/// Loads the bytes behind a URL, handing them out as fast as they are asked for.
///
/// A loader that conforms promises four things, and everything above relies on them:
///
/// * **One ending.** Either ``DataChunks/next()`` returns `nil` once all bytes were handed out, or it throws.
/// * **Back-pressure.** Bytes that nobody has asked for are held in a buffer of bounded size; the source
///   waits.
/// * **Limits inside.** ``LoadLimits`` hold while loading, not after it.
/// * **Cancelling is quick.** Cancelling the task, cancelling the body, or letting go of it stops the work,
///   and nothing is delivered afterwards.
public protocol DataLoading: Sendable {
  /// Starts loading and returns when the head of the answer is known and accepted.
  ///
  /// A status outside ``DataRequest/acceptedStatuses`` is an error. Cancelling the task throws
  /// ``DataLoadingError/cancelled``.
  func load(_ request: DataRequest, limits: LoadLimits) async throws(DataLoadingError) -> LoadedData

  /// Loads the whole body into memory. Unless a loader has a shorter way, that is to load, and to collect.
  func data(
    for request: DataRequest, limits: LoadLimits
  ) async throws(DataLoadingError) -> (head: LoadedHead, body: Data)

  /// Forgets what it keeps of answers to `request`, also of those that are on their way. Most loaders keep nothing.
  ///
  /// A loader that loads through another one has to pass this on.
  func forget(_ request: DataRequest) async

  /// Forgets all that it keeps, also of what is on its way.
  func forgetAll() async
}

extension DataLoading {
  /// The same with the limits that are on by default.
  public func load(_ request: DataRequest) async throws(DataLoadingError) -> LoadedData {
    try await load(request, limits: LoadLimits())
  }

  public func data(
    for request: DataRequest, limits: LoadLimits
  ) async throws(DataLoadingError) -> (head: LoadedHead, body: Data) {
    let loaded = try await load(request, limits: limits)
    return (loaded.head, try await loaded.collect())
  }

  public func forget(_ request: DataRequest) async {}
  public func forgetAll() async {}

  /// The same with the limits that are on by default.
  public func data(
    for request: DataRequest
  ) async throws(DataLoadingError) -> (head: LoadedHead, body: Data) {
    try await data(for: request, limits: LoadLimits())
  }
}
