/// The part of a URI that says whom to ask.
package struct Authority: Hashable, Sendable {
  package var user: String?
  /// Lower case; IPv6 in brackets.
  package var host: String
  package var port: Int?
  /// False if what stands for the port is no port.
  package var isValid: Bool

  package init(_ text: String) {
    var rest = text.utf8[...]
    if let at = rest.lastIndex(of: UInt8(ascii: "@")) {
      user = String(Substring(rest[..<at]))
      rest = rest[rest.index(after: at)...]
    }
    let afterBracket = rest.lastIndex(of: UInt8(ascii: "]")) ?? rest.startIndex
    let colon = rest[afterBracket...].firstIndex(of: UInt8(ascii: ":"))
    host = String(Substring(rest[..<(colon ?? rest.endIndex)])).lowercased()
    let digits = colon.map { Substring(rest[rest.index(after: $0)...]) } ?? ""
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
