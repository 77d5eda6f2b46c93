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
