internal import Foundation

/// Which bytes are meant: two requests of one key may share an answer.
///
/// Method, headers and credentials take part, since the answer may depend on them. Credentials themselves do not
/// appear, only a hash: keys are kept on disk.
package struct ResourceKey: Hashable, Sendable {
  package let method: String
  /// The URL without user, password and fragment, or the name that the request gave the image.
  package let name: String
  /// Names in lower case, in order of their names.
  package private(set) var headers: [String]
  /// Who may see the answer; `nil` if everybody.
  package let partition: String?

  /// - Parameter id: Stands for the URL, if there is one.
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
    // No name of a header has a colon.
    if let body = request.body { headers += [":body", SHA256.hex(Array(body))] }
    self.partition = partition.map { "named:" + $0 } ?? Self.partition(of: secrets)
  }

  /// The key of what a closure supplies. It equals none of a URL.
  ///
  /// - Parameter kind: What the closure supplies.
  package init(_ kind: String, named name: String, id: String?, partition: String?) {
    // No method of HTTP is in lower case.
    method = kind
    self.name = id.map { "id:" + $0 } ?? name
    headers = []
    self.partition = partition.map { "named:" + $0 }
  }

  /// Which of several bytes under one address are meant, if it says which.
  package func with(_ integrity: Integrity?) -> ResourceKey {
    guard let integrity else { return self }
    var key = self
    // No name of a header has a colon.
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
  /// Under which the bytes are kept; `nil` if there can be none.
  package var resourceKey: ResourceKey? { key(id: imageID) }

  /// Under which the bytes are fetched.
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
