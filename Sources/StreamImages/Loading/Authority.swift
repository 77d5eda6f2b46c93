/// The part of a URI that says whom to ask.
package struct Authority: Hashable, Sendable {
  package var user: String?
  /// Lower case; IPv6 in brackets.
  package var host: String
  package var port: Int?
  /// False if what stands for the port is no port.
  package var isValid: Bool

  package init(_ text: String) {
    var text = text
    self = text.withUTF8 { Self($0) }
  }

  private init(_ bytes: UnsafeBufferPointer<UInt8>) {
    var rest = bytes[...]
    if let at = rest.lastIndex(of: UInt8(ascii: "@")) {
      user = String(rest[..<at])
      rest = rest[(at + 1)...]
    }
    let afterBracket = rest.lastIndex(of: UInt8(ascii: "]")) ?? rest.startIndex
    let colon = rest[afterBracket...].firstIndex(of: UInt8(ascii: ":"))
    host = String(lowercasing: rest[..<(colon ?? rest.endIndex)])
    let digits = colon.map { String(rest[($0 + 1)...]) } ?? ""
    port = Int(digits)
    isValid = !host.isEmpty && (digits.isEmpty || (port.map { (1...65535).contains($0) } ?? false))
  }

  package var withoutUser: String { port.map { "\(host):\($0)" } ?? host }
}

/// Scheme, host and port: those who may share secrets.
package struct Origin: Hashable, Sendable {
  package let scheme: String
  package let host: String
  package let port: Int
  /// Of all three, computed once: a load looks for its origin a dozen times.
  private let digest: Int

  /// `nil` if the URI has no host that can be asked.
  package init?(_ uri: URIReference) {
    guard let scheme = uri.scheme, let text = uri.authority else { return nil }
    let authority = Authority(text)
    guard authority.isValid else { return nil }
    self.scheme = scheme
    host = authority.host
    port = authority.port ?? (scheme == "https" ? 443 : 80)
    var hasher = Hasher()
    hasher.combine(scheme)
    hasher.combine(host)
    hasher.combine(port)
    digest = hasher.finalize()
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
