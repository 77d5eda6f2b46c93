import Foundation
import LoopbackServer
import Testing

@Suite struct GzipTests {
  @Test("Stored bytes are framed as RFC 1952 specifies")
  func stored() {
    let packed = Gzip.stored(Data("123456789".utf8))

    #expect(packed.prefix(3) == Data([0x1F, 0x8B, 8]))
    #expect(packed.dropFirst(10).prefix(5) == Data([1, 9, 0, 0xF6, 0xFF]))
    // The checksum of these digits is the check value of CRC-32.
    #expect(packed.suffix(8) == Data([0x26, 0x39, 0xF4, 0xCB, 9, 0, 0, 0]))
  }

  @Test("A million zeros compress to less than a 150th of their size")
  func zeros() {
    let packed = Gzip.zeros(1_000_000)

    #expect(packed.count < 1_000_000 / 150)
  }
}
