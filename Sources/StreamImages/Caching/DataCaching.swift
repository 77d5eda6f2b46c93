public import Foundation

/// Stores bytes between runs of the program.
///
/// A cache may drop entries at any time. It must never return other bytes than those stored under the same key. Its
/// functions must not block the calling thread.
public protocol DataCaching: Sendable {
  /// Returns the entry for `key`, or `nil` if there is none, or none that is intact.
  func data(for key: DataCacheKey) async -> CachedData?

  /// Returns the entry for `key` if it is in memory, without blocking. `nil` by default; ``data(for:)`` is called
  /// next.
  func immediateData(for key: DataCacheKey) -> CachedData?

  /// Stores an entry and replaces an earlier one. When this returns, reads find the entry.
  func store(_ data: CachedData, for key: DataCacheKey) async throws(DataCacheError)

  /// Returns whether there is an entry for `key`, without reading it.
  func contains(_ key: DataCacheKey) async -> Bool

  /// Removes the entry for `key`.
  func remove(_ key: DataCacheKey) async

  /// Removes all entries.
  func removeAll() async
}

extension DataCaching {
  public func immediateData(for key: DataCacheKey) -> CachedData? { nil }

  /// Equal for the same object. Caches that are not objects differ only by their type.
  var identity: ObjectIdentifier {
    Self.self is AnyClass ? ObjectIdentifier(self as AnyObject) : ObjectIdentifier(Self.self)
  }
}

/// Bytes with attributes, as stored in a ``DataCaching``.
public struct CachedData: Sendable, Hashable {
  /// The stored bytes.
  public var data: Data

  /// Small pieces of metadata, such as the URL after redirects.
  public var attributes: [String: String]

  /// Creates an entry.
  public init(_ data: Data, attributes: [String: String] = [:]) {
    self.data = data
    self.attributes = attributes
  }
}
