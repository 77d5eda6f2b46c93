internal import Foundation
public import StreamImages

/// Stores results in a bucket, so that any number of servers share them.
///
/// ```swift
/// let shared = S3DataCache(bucket: "thumbnails", endpoint: store)
/// configuration.dataCache = LayeredDataCache(layers: [EncodedMemoryCache(over: disk), shared])
/// ```
///
/// Put it behind a cache in memory and one on disk: each read is a request. What one server has stored, the others read. Servers
/// keep no state of their own that would be lost with them.
///
/// An entry is an object, whose name is `prefix` and 64 hexadecimal digits. It contains a checksum and its own name: an object
/// that is damaged, or another one's copy, is a miss. The bucket must exist. Entries are never evicted: give the bucket a rule
/// for the lifetime of objects.
///
/// Reads that fail count as misses, and are reported to `onReadError`. A request that fails for a transient reason, such as the
/// status 503, is repeated twice; after a timeout, it is not.
public final class S3DataCache: DataCaching {
  private let bucket: String
  private let prefix: String
  private let loader: any DataLoading
  private let limits: LoadLimits
  private let onReadError: (@Sendable (DataLoadingError) -> Void)?

  /// Creates a cache in a bucket.
  ///
  /// - Parameters:
  ///   - bucket: The name of the bucket.
  ///   - prefix: The beginning of the names of objects. Other objects are neither read nor removed.
  ///   - endpoint: The store.
  ///   - loader: Sends the requests of an ``S3Loader`` for `endpoint`.
  ///   - limits: Limits of each request. By default ten seconds, so that a store that does not answer delays an image by that
  ///     at most.
  ///   - onReadError: Called on any thread when the store cannot be read. A missing entry is no error.
  public init(
    bucket: String, prefix: String = "streams/", endpoint: S3Endpoint,
    loader: any DataLoading = CurlLoader.shared,
    limits: LoadLimits = S3DataCache.defaultLimits, onReadError: (@Sendable (DataLoadingError) -> Void)? = nil
  ) {
    (self.bucket, self.prefix, self.limits, self.onReadError) = (bucket, prefix, limits, onReadError)
    self.loader = S3Loader(endpoint, loader: loader).with(
      RetryMiddleware(maximumRetryCount: 2, backoff: .exponential(first: .milliseconds(100))) { error in
        // Otherwise a store that does not answer would delay an image three times.
        if case .timedOut = error { false } else { error.isTransient }
      })
  }

  /// The limits of a request, unless you pass others.
  public static var defaultLimits: LoadLimits {
    var limits = LoadLimits()
    limits.totalTimeout = .seconds(10)
    return limits
  }

  // MARK: DataCaching

  public func data(for key: DataCacheKey) async -> CachedData? {
    let name = key.name
    do throws(DataLoadingError) {
      let (_, body) = try await loader.data(for: request(.get, prefix + name), limits: limits)
      return S3Entry(named: name, in: body)?.cached
    } catch {
      report(error)
      return nil
    }
  }

  public func store(_ data: CachedData, for key: DataCacheKey) async throws(DataCacheError) {
    let name = key.name
    var request = request(.put, prefix + name)
    request.body = try S3Entry(name: name, cached: data).encoded()
    request.headers["Content-Type"] = "application/octet-stream"
    do throws(DataLoadingError) { _ = try await loader.data(for: request, limits: limits) } catch {
      throw failure(error)
    }
  }

  public func contains(_ key: DataCacheKey) async -> Bool {
    do throws(DataLoadingError) {
      _ = try await loader.data(for: request(.head, prefix + key.name), limits: limits)
      return true
    } catch {
      report(error)
      return false
    }
  }

  public func remove(_ key: DataCacheKey) async { await remove(object: prefix + key.name) }

  /// Lists the entries, and removes one after the other. Failures are reported to `onReadError`, and leave the rest.
  ///
  /// - Complexity: A request for each entry, and one for each thousand.
  public func removeAll() async {
    do throws(DataLoadingError) {
      for name in try await names() { await remove(object: prefix + name) }
    } catch {
      report(error)
    }
  }

  /// Returns the names of all entries, without the prefix.
  ///
  /// - Complexity: A request for each thousand. Memory grows with the number of entries.
  public func names() async throws(DataLoadingError) -> [String] {
    var names: [String] = []
    var continuation: String?
    repeat {
      var query = [("list-type", "2"), ("prefix", prefix), ("encoding-type", "url")]
      if let continuation { query.append(("continuation-token", continuation)) }
      let (_, body) = try await loader.data(for: request(.get, "", query: query), limits: limits)
      let page = S3Listing(String(decoding: body, as: UTF8.self))
      names += page.keys.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        .filter(S3Entry.isName)
      continuation = page.continuation
    } while continuation != nil
    return names
  }

  // MARK: Requests

  private func remove(object key: String) async {
    do throws(DataLoadingError) {
      _ = try await loader.data(for: request(.delete, key), limits: limits)
    } catch {
      report(error)
    }
  }

  private func request(
    _ method: DataRequest.Method, _ key: String, query: [(name: String, value: String)] = []
  ) -> DataRequest {
    var text = "s3://\(bucket)/\(S3Text.encode(key, keeping: "/"))"
    if !query.isEmpty {
      text += "?" + query.map { "\($0.name)=\(S3Text.encode($0.value))" }.joined(separator: "&")
    }
    // A name of a bucket that has no place in a URL is refused by the loader.
    return DataRequest(url: URL(string: text) ?? URL(filePath: "/"), method: method)
  }

  private func report(_ error: DataLoadingError) {
    if case .status(404, _) = error { return }
    if !error.isCancellation { onReadError?(error) }
  }

  private func failure(_ error: DataLoadingError) -> DataCacheError {
    let operation = "PUT to the bucket \(bucket), which failed with \(error.code)"
    return switch error {
    case .status(507, _): .diskFull
    case .status(401, _), .status(403, _): .systemError(operation: operation, path: nil, code: EACCES)
    case .timedOut: .systemError(operation: operation, path: nil, code: ETIMEDOUT)
    default: .systemError(operation: operation, path: nil, code: EIO)
    }
  }
}
