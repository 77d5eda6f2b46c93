public import Foundation

/// Decides which hosts may be loaded from. Checked for the first URL and for every redirect, before a name is
/// resolved.
///
/// ```swift
/// var network = CurlLoader.Configuration.server
/// network.hostPolicy = ["images.example.com", "*.cdn.example.com"]
/// ```
///
/// Names are compared as text, ignoring case and a trailing dot. No pattern matches a host that is not plain ASCII,
/// and an IP address matches only itself. To restrict addresses, use an ``AddressPolicy`` as well.
///
/// - Complexity: Each check is linear in the number of patterns.
public struct HostPolicy: Sendable, Hashable {
  private let patterns: [Pattern]?

  private init(_ patterns: [Pattern]?) { self.patterns = patterns }

  /// Allows every host.
  public static let any = HostPolicy(nil)

  /// Allows hosts that match at least one pattern. An empty list allows none.
  public init(allowing patterns: [Pattern]) { self.init(patterns) }

  /// Returns whether a load of this URL may begin. A URL without a valid host is allowed only by ``any``.
  public func allows(_ url: URL) -> Bool {
    patterns == nil || (Origin(URIReference(url.absoluteString)).map(allows) ?? false)
  }

  func allows(_ origin: Origin) -> Bool {
    guard let patterns else { return true }
    guard let host = HostName(origin.host) else { return false }
    return patterns.contains { $0.matches(host, origin) }
  }
}

extension HostPolicy: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Pattern...) { self.init(allowing: elements) }
}

extension HostPolicy {
  /// A host, or all hosts below a domain.
  ///
  /// | Pattern | Allows |
  /// |---|---|
  /// | `images.example.com` | this host, at port 443 for `https` and 80 for `http` |
  /// | `*.example.com` | every host below `example.com`, at any depth and these ports, but not `example.com` itself |
  /// | `example.com:8443` | this host at this port only |
  /// | `example.com:*` | this host at any port |
  /// | `192.0.2.1`, `[2001:db8::1]` | this address at these ports, if the URL spells it as an address |
  public struct Pattern: Sendable, Hashable {
    private enum Port: Hashable { case standard, any, number(Int) }

    /// `nil` matches no host.
    private let host: HostName?
    private let isSuffix: Bool
    private let port: Port

    /// Creates a pattern from text that is known only at run time, such as a configuration file.
    ///
    /// Returns `nil` if the text is not a pattern: if it has a scheme, a path, a user, or an asterisk elsewhere than in the
    /// table, for example. International names may be written in letters or in their ASCII form (`xn--…`).
    public init?(_ text: String) {
      var rest = text[...]
      let isSuffix = rest.hasPrefix("*.")
      if isSuffix { rest = rest.dropFirst(2) }
      let isAnyPort = rest.hasSuffix(":*")
      if isAnyPort { rest = rest.dropLast(2) }
      guard !rest.contains(where: { "/?#@%* \\".contains($0) }),
        let ascii = URL(string: "http://\(rest)")?.absoluteString,
        case let authority = Authority(URIReference(ascii).authority ?? ""), authority.isValid,
        !(isAnyPort && authority.port != nil), let host = HostName(authority.host)
      else { return nil }
      if isSuffix, host.isAddress { return nil }
      self.host = host
      self.isSuffix = isSuffix
      port = isAnyPort ? .any : authority.port.map { .number($0) } ?? .standard
    }

    /// The pattern for an invalid literal.
    private init() { (host, isSuffix, port) = (nil, false, .standard) }

    func matches(_ host: HostName, _ origin: Origin) -> Bool {
      guard let own = self.host else { return false }
      switch port {
      case .any: break
      case .number(let number): guard origin.port == number else { return false }
      case .standard: guard origin.port == Origin.standardPort(of: origin.scheme) else { return false }
      }
      return isSuffix ? host.isBelow(own) : host == own
    }
  }
}

extension HostPolicy.Pattern: ExpressibleByStringLiteral {
  /// Creates a pattern from a literal. An invalid literal matches no host, so that loads fail.
  public init(stringLiteral text: String) { self = Self(text) ?? Self() }
}

extension HostPolicy.Pattern: CustomStringConvertible {
  public var description: String {
    guard let host else { return "not a pattern" }
    let suffix =
      switch port {
      case .standard: ""
      case .any: ":*"
      case .number(let number): ":\(number)"
      }
    return (isSuffix ? "*." : "") + host.description + suffix
  }
}

/// Decides whether a connection to an address may be made.
///
/// It is checked after names are resolved, so DNS rebinding and addresses in unusual notation are covered. It is
/// called on a thread of the loader and must be fast. With a proxy, it checks the address of the proxy only.
public struct AddressPolicy: Sendable {
  let allows: @Sendable (NetworkAddress) -> Bool
  let isOpen: Bool

  /// Creates a policy that calls `allows` for each address.
  public init(allows: @escaping @Sendable (NetworkAddress) -> Bool) {
    self.allows = allows
    isOpen = false
  }

  private init() {
    allows = { _ in true }
    isOpen = true
  }

  /// Allows every address.
  public static let any = AddressPolicy()

  /// Allows public addresses only; see ``NetworkAddress/isPublic``.
  public static let publicOnly = AddressPolicy { $0.isPublic }
}
