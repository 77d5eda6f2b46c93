import Foundation

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
