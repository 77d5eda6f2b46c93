internal import Foundation

/// The responses of an ``HTTPCache``. Each URL has one entry for each partition. If its responses vary, that entry is a
/// list, and each variant has an entry of its own.
package struct ResponseStore: Sendable {
  /// The stored state for a request.
  package struct Found: Sendable {
    package let key: DataCacheKey
    /// The response for this request, fresh or stale.
    package var response: StoredResponse?
    /// The validators of responses to other requests for the URL. The server may select one of them.
    package var otherTags: [String] = []
    fileprivate var variants: [Variant] = []
    /// The key of ``response``.
    fileprivate var place: DataCacheKey

    package init(key: DataCacheKey) { (self.key, place) = (key, key) }
  }

  fileprivate struct Variant: Sendable, Hashable {
    var names: [String]
    var identity: String
    var tag: String

    init(names: [String], identity: String, tag: String) {
      (self.names, self.identity, self.tag) = (names, identity, tag)
    }

    init?(_ line: Substring.UTF8View) {
      let fields = line.split(separator: 0x09, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      guard fields.count == 3 else { return nil }
      self.init(names: listElements(fields[0]), identity: fields[1], tag: fields[2])
    }

    /// `nil` if the entry is not a list.
    static func list(_ entry: CachedData) -> [Variant]? {
      entry.attributes["variants"]?.utf8.split(separator: 0x0A).compactMap { Variant($0) }
    }

    var line: String { "\(names.joined(separator: ","))\t\(identity)\t\(tag)" }
  }

  /// The limit for one URL. A server with more varies by something that differs each time.
  private static let maximumVariantCount = 8

  let cache: any DataCaching
  let onError: (@Sendable (DataCacheError) -> Void)?
  /// Changes of lists: each one reads the list that the one before has stored.
  private let changes = WorkQueue("variants", width: 1)

  init(cache: any DataCaching, onError: (@Sendable (DataCacheError) -> Void)?) {
    (self.cache, self.onError) = (cache, onError)
  }

  func find(_ request: DataRequest) async -> Found {
    var found = Found(key: Self.key(request))
    guard let entry = await cache.data(for: found.key) else { return found }
    guard let variants = Variant.list(entry) else {
      found.response = StoredResponse(entry)
      return found
    }
    found.variants = variants
    for variant in found.variants {
      let isWanted = variant.identity == Self.identity(of: request, by: variant.names)
      let place = Self.key(found.key, variant.identity)
      if isWanted, found.response == nil, let entry = await cache.data(for: place) {
        (found.response, found.place) = (StoredResponse(entry), place)
      } else if !variant.tag.isEmpty {
        found.otherTags.append(variant.tag)
      }
    }
    return found
  }

  /// The variants that are listed now. Reads them in another task, because a cancelled one could read nothing.
  private func variants(_ key: DataCacheKey) async -> [Variant] {
    await Task { [cache] in await cache.data(for: key).flatMap(Variant.list) ?? [] }.value
  }

  /// - Parameter old: The place of the response until now.
  func put(
    _ response: StoredResponse, for request: DataRequest, _ found: Found, insteadOf old: DataCacheKey? = nil
  ) async {
    if let old { await cache.remove(old) }
    guard let names = response.varying else { return }
    do throws(DataCacheError) {
      guard !names.isEmpty else { return try await cache.store(response.cached, for: found.key) }
      let identity = Self.identity(of: request, by: names)
      try await cache.store(response.cached, for: Self.key(found.key, identity))
      let variant = Variant(names: names, identity: identity, tag: response.entityTag?.text ?? "")
      try await list(variant, at: found.key, insteadOf: old)
    } catch {
      onError?(error)
    }
  }

  /// In another task, because a cancelled one could neither wait nor read. So the queue does not throw.
  private func list(
    _ variant: Variant, at key: DataCacheKey, insteadOf old: DataCacheKey?
  ) async throws(DataCacheError) {
    let result = await Task { [self] () -> Result<Void, DataCacheError>? in
      try? await changes.hold(DynamicPriority(.normal)) { () async -> Result<Void, DataCacheError> in
        // Other requests may have stored variants meanwhile.
        let others = await variants(key).filter {
          $0.identity != variant.identity && Self.key(key, $0.identity) != old
        }
        let all = [variant] + others
        for gone in all.dropFirst(Self.maximumVariantCount) {
          await cache.remove(Self.key(key, gone.identity))
        }
        let list = all.prefix(Self.maximumVariantCount).map(\.line).joined(separator: "\n")
        do throws(DataCacheError) {
          try await cache.store(CachedData(Data(), attributes: ["variants": list]), for: key)
          return .success(())
        } catch {
          return .failure(error)
        }
      }
    }.value
    try result?.get()
  }

  /// Updates the response that a 304 response confirms.
  ///
  /// - Returns: `nil` if it is not stored.
  func confirm(
    _ head: LoadedHead, for request: DataRequest, _ found: Found, _ permit: StorePermit<DataCacheKey?>,
    _ requestTime: Int, _ responseTime: Int
  ) async -> StoredResponse? {
    let tag = head.headers.entityTag
    guard let (stored, place) = await selected(by: tag, found), stored.hasBody else { return nil }
    var response = stored
    response.update(from: head, requestTime: requestTime, responseTime: responseTime)
    await permit.write(to: found.key) {
      if response.varying == stored.varying {
        do throws(DataCacheError) { try await cache.store(response.cached, for: place) } catch {
          onError?(error)
        }
      } else {
        // It is for other requests from now on: for those that equal this one in the headers that it names.
        await put(response, for: request, found, insteadOf: place)
      }
    }
    return response
  }

  /// Returns the response that has the tag of a 304. If there are no two tags to compare, the 304 can only be about the
  /// response for the request, as long as the request named no other one.
  private func selected(
    by tag: EntityTag?, _ found: Found
  ) async -> (response: StoredResponse, place: DataCacheKey)? {
    if let response = found.response, response.hasBody {
      let own = response.entityTag
      let isMeant = if let tag, let own { own.isWeaklyEqual(to: tag) } else { found.otherTags.isEmpty }
      if isMeant { return (response, found.place) }
    }
    guard let tag,
      let variant = found.variants.first(where: { EntityTag($0.tag)?.isWeaklyEqual(to: tag) ?? false })
    else { return nil }
    let place = Self.key(found.key, variant.identity)
    return await cache.data(for: place).flatMap { StoredResponse($0) }.map { ($0, place) }
  }

  func remove(_ request: DataRequest) async {
    let key = Self.key(request)
    for variant in await variants(key) { await cache.remove(Self.key(key, variant.identity)) }
    await cache.remove(key)
  }
}

// MARK: Keys

extension ResponseStore {
  package static func key(_ request: DataRequest) -> DataCacheKey {
    var canonical = CanonicalBytes("stream-images http 2")
    canonical.append(CanonicalURL(request.url).text)
    canonical.append(ResourceKey(request).partition?.text)
    return DataCacheKey(canonical)
  }

  fileprivate static func key(_ primary: DataCacheKey, _ identity: String) -> DataCacheKey {
    var canonical = CanonicalBytes("stream-images http variant 1")
    canonical.append(primary.name)
    canonical.append(identity)
    return DataCacheKey(canonical)
  }

  /// The values of the request headers that the response depends on.
  private static func identity(of request: DataRequest, by names: [String]) -> String {
    var canonical = CanonicalBytes("stream-images http selection 1")
    for name in names {
      canonical.append(name)
      // Spacing and the distribution of a list over several lines have no meaning.
      let values = request.headers.combined(name).map(listElements)
      canonical.append(values?.joined(separator: ","))
    }
    return SHA256.hex(canonical.bytes)
  }
}
