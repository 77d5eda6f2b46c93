public import Foundation

/// Loads the bytes behind a URL, and delivers them as fast as they are read.
///
/// A loader must guarantee four things, which everything above relies on:
///
/// - **One ending.** ``DataChunks/next()`` either returns `nil` after all bytes were delivered, or throws.
/// - **Back-pressure.** Bytes that were not read yet are held in a bounded buffer. When it is full, the source waits.
/// - **Limits.** ``LoadLimits`` are enforced while loading, not afterwards.
/// - **Prompt cancellation.** Cancelling the task, cancelling the body, or releasing it stops the load, and nothing is
///   delivered afterwards.
public protocol DataLoading: Sendable {
  /// Starts a load, and returns when the head of the response has arrived and is accepted.
  ///
  /// A status outside ``DataRequest/acceptedStatuses`` is an error. Cancelling the task throws
  /// ``DataLoadingError/cancelled``.
  func load(_ request: DataRequest, limits: LoadLimits) async throws(DataLoadingError) -> LoadedData

  /// Loads the whole body into memory. By default calls ``load(_:limits:)`` and collects the body.
  func data(
    for request: DataRequest, limits: LoadLimits
  ) async throws(DataLoadingError) -> (head: LoadedHead, body: Data)

  /// Removes stored responses to `request`, and does not store those in flight. Most loaders store nothing.
  ///
  /// A loader that loads through another one must pass this call on.
  func forget(_ request: DataRequest) async

  /// Removes all stored responses, and does not store those in flight.
  func forgetAll() async
}

extension DataLoading {
  /// Starts a load with the default limits.
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

  /// Loads the whole body with the default limits.
  public func data(
    for request: DataRequest
  ) async throws(DataLoadingError) -> (head: LoadedHead, body: Data) {
    try await data(for: request, limits: LoadLimits())
  }
}
