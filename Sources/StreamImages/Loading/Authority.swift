import Foundation

/// The authority of a URI: user, host and port.
package struct Authority: Hashable, Sendable {
  package var user: String?
  /// In lower case; IPv6 in brackets.
  package var host: String
  package var port: Int?
  /// False if the host or the port cannot be parsed, or can be parsed in two ways.
  package private(set) var isValid: Bool

  package init(_ text: String) {
    var text = text
    self = text.withUTF8 { Self($0) }
  }

  private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.init(bytes[...]) }

  fileprivate init(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    var rest = bytes
    if let at = rest.lastIndex(of: UInt8(ascii: "@")) {
      user = String(rest[..<at])
      rest = rest[(at + 1)...]
    }
    // With two @ signs, some parsers take the first one as the end of the user.
    let hasOneUser = !(user?.utf8.contains(UInt8(ascii: "@")) ?? false)
    let afterBracket = rest.lastIndex(of: UInt8(ascii: "]")) ?? rest.startIndex
    guard let colon = rest[afterBracket...].firstIndex(of: UInt8(ascii: ":")) else {
      host = String(lowercasing: rest)
      isValid = hasOneUser && Self.isHost(rest)
      return
    }
    host = String(lowercasing: rest[..<colon])
    let digits = rest[(colon + 1)...]
    // A longer one is not shown in descriptions.
    port = Int(digits: digits).flatMap { $0 < 1_000_000_000 ? $0 : nil }
    isValid =
      hasOneUser && Self.isHost(rest[..<colon])
      && (digits.isEmpty || (port.map { (1...65535).contains($0) } ?? false))
  }

  /// Brackets must enclose the whole host, and a percent sign must be followed by two digits. The resolver checks the
  /// rest.
  private static func isHost(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    guard let first = bytes.first, let last = bytes.last else { return false }
    let isBracketed = first == UInt8(ascii: "[") && last == UInt8(ascii: "]")
    let inner = isBracketed ? bytes.dropFirst().dropLast() : bytes
    return inner.indices.allSatisfy { place in
      switch inner[place] {
      case UInt8(ascii: "["), UInt8(ascii: "]"): false
      case UInt8(ascii: "%"): isBracketed || inner[(place + 1)...].prefix(2).count { isHexDigit($0) } == 2
      default: true
      }
    }
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    byte.isASCIIDigit || (0x61...0x66).contains(byte | 0x20)
  }

  package var withoutUser: String { port.map { "\(host):\($0)" } ?? host }
}

/// Scheme, host and port. Only requests to the same origin share secrets.
package struct Origin: Hashable, Sendable {
  package let scheme: String
  package let host: String
  package let port: Int
  /// The hash of all three, computed once, because a load looks up its origin a dozen times.
  private let digest: Int

  /// `nil` if the URI has no scheme or no valid authority.
  package init?(_ uri: URIReference) {
    guard let scheme = uri.scheme, let authority = uri.authority else { return nil }
    self.init(scheme, Authority(authority))
  }

  /// The origin of a URI that is only parsed.
  init?(_ parts: URIParts, of bytes: UnsafeBufferPointer<UInt8>) {
    guard let scheme = parts.scheme, let authority = parts.authority else { return nil }
    self.init(String(lowercasing: bytes[scheme]), Authority(bytes[authority]))
  }

  private init?(_ scheme: String, _ authority: Authority) {
    guard authority.isValid else { return nil }
    self.scheme = scheme
    host = authority.host
    port = authority.port ?? Self.standardPort(of: scheme)
    var hasher = Hasher()
    hasher.combine(scheme)
    hasher.combine(host)
    hasher.combine(port)
    digest = hasher.finalize()
  }

  static func standardPort(of scheme: String) -> Int { scheme == "https" ? 443 : 80 }

  package func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

/// A host in a canonical form, for comparison.
enum HostName: Sendable, Hashable {
  /// ASCII, in lower case, without a trailing dot.
  case name(String)
  /// 4 or 16 bytes.
  case address([UInt8])

  /// Parses the host of a URL, in lower case; IPv6 in brackets.
  ///
  /// `nil` if another parser could read it as a different host, for example because it is percent-encoded, not ASCII, or
  /// a single number.
  init?(_ host: String) {
    if host.utf8.first == UInt8(ascii: "["), host.utf8.last == UInt8(ascii: "]") {
      guard let bytes = Self.bytes(String(host.dropFirst().dropLast()), AF_INET6, count: 16) else {
        return nil
      }
      self = .address(bytes)
      return
    }
    let name = host.utf8.last == UInt8(ascii: ".") ? String(host.dropLast()) : host
    let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard name.utf8.count <= 253, labels.allSatisfy({ !$0.isEmpty && $0.allSatisfy(Self.isPlain) }),
      let last = labels.last
    else { return nil }
    guard Self.isNumber(last) else {
      self = .name(name)
      return
    }
    guard let bytes = Self.bytes(name, AF_INET, count: 4) else { return nil }
    self = .address(bytes)
  }

  var isAddress: Bool { if case .address = self { true } else { false } }

  /// Returns whether this is a subdomain of `domain`, at any depth.
  func isBelow(_ domain: HostName) -> Bool {
    guard case .name(let name) = self, case .name(let domain) = domain else { return false }
    return name.hasSuffix("." + domain)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: "_")
  }

  /// Resolvers take a name whose last label is a number for an IPv4 address: `2130706433`, `0x7f.1`.
  private static func isNumber(_ label: Substring.UTF8View) -> Bool {
    if label.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
    return label.starts(with: "0x".utf8)
      && label.dropFirst(2).allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  private static func bytes(_ text: String, _ family: Int32, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return inet_pton(family, text, &bytes) == 1 ? bytes : nil
  }
}

extension HostName: CustomStringConvertible {
  var description: String {
    switch self {
    case .name(let name): return name
    case .address(let bytes):
      let text = NetworkAddress(bytes: bytes, port: 0)?.description ?? ""
      return String(text.dropLast(2))
    }
  }
}
