package import Foundation

/// Identifies bytes: requests with the same key may share a response.
///
/// It contains method, headers and credentials, because the response may depend on them. Credentials are hashed,
/// because keys are stored on disk.
package struct ResourceKey: Hashable, Sendable {
  package let method: KeyText
  /// The URL without user, password and fragment, or the ID of the image.
  package let name: KeyText
  /// Sorted by name, with names in lower case.
  package private(set) var headers: [KeyText]
  /// The users who may see the response; `nil` for all.
  package let partition: KeyText?

  /// - Parameter id: Replaces the URL, if it is not `nil`.
  package init(_ request: DataRequest, id: String? = nil) {
    method = KeyText(request.method.rawValue)
    let url = CanonicalURL(request.url)
    name = KeyText(id.map { "id:" + $0 } ?? url.text)
    var secrets: [String] = url.user.map { ["user", $0] } ?? []
    if request.headers.isEmpty {
      headers = []
    } else {
      let fields = request.headers.map { ($0.name.lowercasedASCII, $0) }.sorted { $0.0 < $1.0 }
      headers = fields.filter { !$0.1.staysWithOrigin }.flatMap { [KeyText($0.0), KeyText($0.1.value)] }
      secrets += fields.filter { $0.1.staysWithOrigin }.flatMap { [$0.0, $0.1.value] }
    }
    // No header name contains a colon.
    if let body = request.body { headers += [KeyText(":body"), KeyText(SHA256.hex(body))] }
    partition = request.cachePartition.map(Self.partition(named:)) ?? Self.partition(of: secrets)
  }

  /// The key of the result of a closure. It differs from the keys of all URLs.
  ///
  /// - Parameter kind: The kind of that result.
  package init(_ kind: String, named name: String, id: String?, partition: String?) {
    // No HTTP method is in lower case.
    method = KeyText(kind)
    self.name = KeyText(id.map { "id:" + $0 } ?? name)
    headers = []
    self.partition = partition.map(Self.partition(named:))
  }

  /// Adds the expected bytes, if there are any.
  package func with(_ integrity: Integrity?) -> ResourceKey {
    guard let integrity else { return self }
    var key = self
    // No header name contains a colon.
    key.headers += [KeyText(":integrity"), KeyText(integrity.sha256)]
    return key
  }

  func append(to canonical: inout CanonicalBytes) {
    canonical.append(method.text)
    canonical.append(name.text)
    canonical.append(headers.map(\.text))
    canonical.append(partition?.text)
  }

  private static func partition(named name: String) -> KeyText { KeyText("named:" + name) }

  private static func partition(of secrets: [String]) -> KeyText? {
    guard !secrets.isEmpty else { return nil }
    var canonical = CanonicalBytes("credentials")
    canonical.append(secrets)
    return KeyText(SHA256.hex(canonical.bytes))
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
      case .address(let request): ResourceKey(request, id: id)
      case .data(let source): ResourceKey("data", named: source.name, id: id, partition: cachePartition)
      case .image(let source): ResourceKey("image", named: source.name, id: id, partition: cachePartition)
      }
    return key?.with(integrity)
  }
}

/// A URL in canonical form, for keys.
///
/// Scheme and host are in lower case. The default port, user, password and fragment are removed, unless the authority is
/// not valid, and an empty path is "/". Percent encoding and dots in the path are kept, because servers differ in how they
/// treat them. Of a URL of more than 4,096 bytes, this is a hash by default.
package struct CanonicalURL {
  package let text: String
  /// User and password.
  package let user: String?

  /// - Parameter isWhole: Whether a long URL is kept, because it is read again, and not hashed.
  package init(_ url: URL, isWhole: Bool = false) {
    let absolute = url.absoluteString
    guard isWhole || absolute.utf8.count <= 4_096 else {
      // A data URL may have a megabyte. Its hash identifies it as well.
      text = "sha256:" + SHA256.hex(Array(absolute.utf8))
      user = nil
      return
    }
    if Self.isCanonical(absolute) {
      text = absolute
      user = nil
      return
    }
    var reference = URIReference(absolute)
    reference.fragment = nil
    let authority = reference.authority.map { Authority($0) }
    if let authority, authority.isValid, let scheme = reference.scheme {
      let isDefault = authority.port == (scheme == "https" ? 443 : scheme == "http" ? 80 : nil)
      reference.authority = isDefault ? authority.host : authority.withoutUser
      if reference.path.isEmpty { reference.path = "/" }
    }
    text = reference.text
    user = authority?.user
  }

  /// Whether the URL is canonical already. Most are, and each lookup in memory needs a key.
  private static func isCanonical(_ url: String) -> Bool {
    let bytes = url.utf8
    let rest: Substring.UTF8View
    if url.hasPrefix("https://") {
      rest = bytes.dropFirst(8)
    } else if url.hasPrefix("http://") {
      rest = bytes.dropFirst(7)
    } else {
      return false
    }
    var isInHost = true
    for byte in rest {
      switch byte {
      case UInt8(ascii: "#"): return false
      case UInt8(ascii: "/"): isInHost = false
      case UInt8(ascii: "@"), UInt8(ascii: ":"), UInt8(ascii: "?"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
        if isInHost { return false }
      default: break
      }
    }
    return !isInHost
  }
}
