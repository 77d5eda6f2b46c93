internal import Foundation

/// Identifies bytes: requests with the same key may share a response.
///
/// It contains method, headers and credentials, because the response may depend on them. Credentials are hashed,
/// because keys are stored on disk.
package struct ResourceKey: Hashable, Sendable {
  package let method: String
  /// The URL without user, password and fragment, or the ID of the image.
  package let name: String
  /// Sorted by name, with names in lower case.
  package private(set) var headers: [String]
  /// The users who may see the response; `nil` for all.
  package let partition: String?

  /// - Parameter id: Replaces the URL, if it is not `nil`.
  package init(_ request: DataRequest, id: String?, partition: String?) {
    method = request.method.rawValue
    let url = CanonicalURL(request.url)
    name = id.map { "id:" + $0 } ?? url.text
    var secrets: [String] = url.user.map { ["user", $0] } ?? []
    if request.headers.isEmpty {
      headers = []
    } else {
      let fields = request.headers.map { ($0.name.lowercased(), $0) }.sorted { $0.0 < $1.0 }
      headers = fields.filter { !$0.1.staysWithOrigin }.flatMap { [$0.0, $0.1.value] }
      secrets += fields.filter { $0.1.staysWithOrigin }.flatMap { [$0.0, $0.1.value] }
    }
    // No header name contains a colon.
    if let body = request.body { headers += [":body", SHA256.hex(body)] }
    self.partition = partition.map { "named:" + $0 } ?? Self.partition(of: secrets)
  }

  /// The key of the result of a closure. It differs from the keys of all URLs.
  ///
  /// - Parameter kind: The kind of that result.
  package init(_ kind: String, named name: String, id: String?, partition: String?) {
    // No HTTP method is in lower case.
    method = kind
    self.name = id.map { "id:" + $0 } ?? name
    headers = []
    self.partition = partition.map { "named:" + $0 }
  }

  /// Adds the expected bytes, if there are any.
  package func with(_ integrity: Integrity?) -> ResourceKey {
    guard let integrity else { return self }
    var key = self
    // No header name contains a colon.
    key.headers += [":integrity", integrity.sha256]
    return key
  }

  func append(to canonical: inout CanonicalBytes) {
    canonical.append(method)
    canonical.append(name)
    canonical.append(headers)
    canonical.append(partition)
  }

  private static func partition(of secrets: [String]) -> String? {
    guard !secrets.isEmpty else { return nil }
    var canonical = CanonicalBytes("credentials")
    canonical.append(secrets)
    return SHA256.hex(canonical.bytes)
  }
}

extension ImageRequest {
  /// The key under which the bytes are stored; `nil` if there are none.
  package var resourceKey: ResourceKey? { key(id: imageID) }

  /// The key under which the bytes are loaded.
  package var jobResourceKey: ResourceKey? { key(id: nil) }

  private func key(id: String?) -> ResourceKey? {
    let key: ResourceKey? =
      switch source {
      case .missing: nil
      case .address(let request): ResourceKey(request, id: id, partition: cachePartition)
      case .data(let source): ResourceKey("data", named: source.name, id: id, partition: cachePartition)
      case .image(let source): ResourceKey("image", named: source.name, id: id, partition: cachePartition)
      }
    return key?.with(integrity)
  }
}
