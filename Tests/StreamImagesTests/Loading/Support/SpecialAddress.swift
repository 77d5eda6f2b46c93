import StreamImages
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Addresses as text, and as parts of other addresses.
enum SpecialAddress {
  /// None for text that is not an address.
  static func bytes(_ text: String) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: text.contains(":") ? 16 : 4)
    let family = text.contains(":") ? AF_INET6 : AF_INET
    return inet_pton(family, text, &bytes) == 1 ? bytes : []
  }

  static func isPublic(_ bytes: [UInt8]) throws -> Bool {
    try #require(NetworkAddress(bytes: bytes, port: 80)).isPublic
  }

  static let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
  static let compatible = [UInt8](repeating: 0, count: 12)
  static let translated: [UInt8] = [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]

  /// An IPv4 address in each form of IPv6 that leads to it.
  static func embedding(_ bytes: [UInt8]) -> [[UInt8]] {
    [mapped + bytes, compatible + bytes, translated + bytes, [0x20, 0x02] + bytes + mapped.prefix(10)]
  }

  /// The tunnels of Teredo and ISATAP, a prefix for translation inside a network, and the form of RFC 2765.
  static func tunneling(_ bytes: [UInt8]) -> [[UInt8]] {
    [
      [0x20, 0x01, 0, 0] + bytes + [0, 0, 0, 0] + bytes.map { ~$0 },
      [0x26, 0x07, 0xF8, 0xB0, 0, 0, 0, 0, 0, 0, 0x5E, 0xFE] + bytes,
      [0x26, 0x07, 0xF8, 0xB0, 0, 0, 0, 0, 2, 0, 0x5E, 0xFE] + bytes,
      [0x26, 0x07, 0xF8, 0xB0, 0, 0, 0, 0, 3, 0, 0x5E, 0xFE] + bytes,
      [0, 0x64, 0xFF, 0x9B, 0, 1, 0, 0, 0, 0, 0, 0] + bytes,
      [UInt8](repeating: 0, count: 8) + [0xFF, 0xFF, 0, 0] + bytes,
    ]
  }
}
