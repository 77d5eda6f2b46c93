public import Foundation

/// Keeps bytes from one run of the program to the next.
///
/// A cache may forget anything at any time, and must never give other bytes than it was given under the very same
/// key. Work is done elsewhere than on the calling thread.
public protocol DataCaching: Sendable {
  /// `nil` if there is nothing, or nothing that can be trusted.
  func data(for key: DataCacheKey) async -> CachedData?

  /// The same, if it can be told at once: from memory, on the calling thread. `nil` by default, and then
  /// ``data(for:)`` is asked.
  func immediateData(for key: DataCacheKey) -> CachedData?

  /// Replaces what is there. When this returns, the bytes are found, also by other processes.
  func store(_ data: CachedData, for key: DataCacheKey) async throws(DataCacheError)

  /// Whether there is something for `key`, without reading it.
  func contains(_ key: DataCacheKey) async -> Bool

  /// Forgets what there is for `key`.
  func remove(_ key: DataCacheKey) async

  /// Forgets everything.
  func removeAll() async
}

extension DataCaching {
  public func immediateData(for key: DataCacheKey) -> CachedData? { nil }
}

/// Bytes, and what is to be remembered with them.
public struct CachedData: Sendable, Hashable {
  /// As they were stored.
  public var data: Data

  /// Small facts, such as the URL after redirects.
  public var attributes: [String: String]

  /// Bytes with what is to be remembered.
  public init(_ data: Data, attributes: [String: String] = [:]) {
    self.data = data
    self.attributes = attributes
  }
}
