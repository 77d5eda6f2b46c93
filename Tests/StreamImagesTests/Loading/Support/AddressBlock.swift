import Testing

/// A block of addresses, and whether its most specific entry in a registry of IANA is globally reachable.
struct AddressBlock: Sendable, CustomTestStringConvertible {
  let text: String
  let isPublic: Bool
  let first: [UInt8]
  let last: [UInt8]
  let bits: Int

  init(_ text: String, isPublic: Bool = false) {
    let parts = text.split(separator: "/")
    let first = SpecialAddress.bytes(String(parts[0]))
    let bits = Int(parts[1])!
    var last = first
    for bit in bits..<first.count * 8 { last[bit / 8] |= 0x80 >> UInt8(bit % 8) }
    (self.text, self.isPublic) = (text, isPublic)
    (self.first, self.last, self.bits) = (first, last, bits)
  }

  var testDescription: String { text }

  /// The addresses before and after the block; none before the lowest or after the highest address.
  var neighbors: [[UInt8]] {
    var (before, after) = (first, last)
    for index in before.indices.reversed() {
      before[index] &-= 1
      if before[index] != 255 { break }
    }
    for index in after.indices.reversed() {
      after[index] &+= 1
      if after[index] != 0 { break }
    }
    return (first.contains { $0 != 0 } ? [before] : []) + (last.contains { $0 != 255 } ? [after] : [])
  }

  func contains(_ address: [UInt8]) -> Bool {
    guard address.count == first.count else { return false }
    for bit in 0..<bits {
      let difference: UInt8 = address[bit / 8] ^ first[bit / 8]
      if difference << UInt8(bit % 8) & 0x80 != 0 { return false }
    }
    return true
  }

  /// What the most specific block of an address says.
  static func isPublic(_ address: [UInt8]) -> Bool {
    all.filter { $0.contains(address) }.max { $0.bits < $1.bits }!.isPublic
  }

  /// Each address is in one of the first three.
  static let all: [AddressBlock] =
    [
      AddressBlock("0.0.0.0/0", isPublic: true),
      AddressBlock("::/0"),
      // The only part of IPv6 whose addresses are global unicast so far (RFC 4291, 2.4).
      AddressBlock("2000::/3", isPublic: true),
    ] + (special + multicast + stricter).map { AddressBlock($0) }
    + reachable.map { AddressBlock($0, isPublic: true) }

  /// Blocks that are not globally reachable: https://www.iana.org/assignments/iana-ipv4-special-registry and
  /// iana-ipv6-special-registry, without those with an embedded address (mapped, translated, 6to4).
  private static let special: [String] = [
    "0.0.0.0/8", "0.0.0.0/32", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
    "172.16.0.0/12", "192.0.0.0/24", "192.0.0.0/29", "192.0.0.8/32", "192.0.0.170/31", "192.0.2.0/24",
    "192.88.99.0/24", "192.88.99.2/32", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
    "203.0.113.0/24", "240.0.0.0/4", "255.255.255.255/32",
    "::1/128", "::/128", "64:ff9b:1::/48", "100::/64", "100:0:0:1::/64", "2001::/23", "2001::/32",
    "2001:2::/48", "2001:10::/28", "2001:db8::/32", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10",
  ]

  /// Those that are.
  private static let reachable: [String] = [
    "192.31.196.0/24", "192.52.193.0/24", "192.175.48.0/24", "2620:4f:8000::/48",
  ]

  private static let multicast: [String] = ["224.0.0.0/4", "ff00::/8"]

  /// The registry calls these reachable, but a router nearby answers there, or nobody serves images. The rest of
  /// 3fff::/16 is not allocated.
  private static let stricter: [String] = [
    "192.0.0.9/32", "192.0.0.10/32", "2001:1::1/128", "2001:1::2/128", "2001:1::3/128", "2001:3::/32",
    "2001:4:112::/48", "2001:20::/28", "2001:30::/28", "3fff::/16",
  ]
}
