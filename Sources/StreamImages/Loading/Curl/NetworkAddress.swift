/// An IPv4 or IPv6 address and a port.
public struct NetworkAddress: Sendable, Hashable {
  /// 4 or 16 bytes, the most significant first.
  public let bytes: [UInt8]
  /// In host byte order.
  public let port: UInt16

  /// Creates an address from 4 or 16 bytes, and `nil` from any other number.
  public init?(bytes: [UInt8], port: UInt16) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
    self.port = port
  }

  /// Whether this is an address of the public internet.
  ///
  /// Not public are loopback, private, link-local, shared (100.64/10), multicast, benchmarking, reserved and documentation
  /// addresses, ISATAP addresses, and the networks in which Azure, Google and IBM offer services to the machines inside. An
  /// IPv6 address that embeds an IPv4 address in another way is public if that is; others only in 2000::/3.
  public var isPublic: Bool {
    if bytes.count == 4 { return Self.isPublic(v4: bytes) }
    if let embedded = embeddedV4 { return Self.isPublic(v4: embedded) }
    let isGlobal = bytes[0] & 0xE0 == 0x20
    let isDocumentation = bytes.starts(with: [0x20, 0x01, 0x0D, 0xB8]) || bytes.starts(with: [0x3F, 0xFF])
    // 2001:0::/23 is reserved for protocols: Teredo, ORCHID, benchmarking.
    let isForProtocols = bytes[0] == 0x20 && bytes[1] == 0x01 && bytes[2] < 2
    return isGlobal && !isDocumentation && !isForProtocols && !isISATAP && !CloudNetworks.contain(bytes)
  }

  /// The embedded IPv4 address: mapped, compatible, translated (64:ff9b::/96), or 6to4 (2002::/16).
  private var embeddedV4: [UInt8]? {
    let tail = Array(bytes[12...])
    if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == bytes[11], [0, 0xFF].contains(bytes[10]) {
      return tail
    }
    if bytes.starts(with: [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) { return tail }
    if bytes.starts(with: [0x20, 0x02]) { return Array(bytes[2..<6]) }
    return nil
  }

  private var isISATAP: Bool { bytes[8] & 0xFC == 0 && bytes[9...11].elementsEqual([0, 0x5E, 0xFE]) }

  private static func isPublic(v4 bytes: [UInt8]) -> Bool {
    switch (bytes[0], bytes[1], bytes[2]) {
    case (0, _, _), (10, _, _), (127, _, _), (224..., _, _): false
    case (100, 64...127, _), (169, 254, _), (172, 16...31, _), (192, 168, _), (198, 18...19, _): false
    case (192, 0, 0), (192, 0, 2), (192, 88, 99), (198, 51, 100), (203, 0, 113): false
    default: !CloudNetworks.contain(bytes)
    }
  }
}

extension NetworkAddress: CustomStringConvertible {
  public var description: String {
    if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") + ":\(port)" }
    let groups = stride(from: 0, to: 16, by: 2).map {
      String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
    }
    return "[\(groups.joined(separator: ":"))]:\(port)"
  }
}

/// Networks that clouds route to services of their own, although the addresses look public.
///
/// The metadata services of most clouds are link-local, private or shared addresses, which are never public.
enum CloudNetworks {
  private static let networks: [(start: [UInt8], bits: Int)] = [
    // The platform of Azure, in all regions, and its resolver:
    // https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
    ([168, 63, 129, 16], 32),
    // Google's restricted and private interfaces, which are not announced to the internet:
    // https://cloud.google.com/vpc-service-controls/docs/private-connectivity
    // https://cloud.google.com/vpc/docs/configure-private-google-access
    ([199, 36, 153, 4], 30),
    ([199, 36, 153, 8], 30),
    ([0x26, 0x00, 0x2D, 0x00, 0, 2, 0x10, 0], 64),
    ([0x26, 0x00, 0x2D, 0x00, 0, 2, 0x20, 0], 64),
    // Resolvers, mirrors, storage and services of IBM, for machines inside:
    // https://cloud.ibm.com/docs/vpc?topic=vpc-service-endpoints-for-vpc
    ([161, 26, 0, 0], 16),
    ([166, 8, 0, 0], 14),
  ]

  /// - Parameter bytes: 4 or 16 bytes.
  static func contain(_ bytes: [UInt8]) -> Bool {
    networks.contains { network in
      // Those of IPv4 have four bytes, those of IPv6 more.
      (network.start.count == 4) == (bytes.count == 4) && isPrefix(network.start, network.bits, of: bytes)
    }
  }

  private static func isPrefix(_ start: [UInt8], _ bits: Int, of bytes: [UInt8]) -> Bool {
    let (whole, rest) = bits.quotientAndRemainder(dividingBy: 8)
    guard bytes.prefix(whole).elementsEqual(start.prefix(whole)) else { return false }
    return rest == 0 || (bytes[whole] ^ start[whole]) >> (8 - rest) == 0
  }
}
