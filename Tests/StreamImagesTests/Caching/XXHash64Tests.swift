import StreamImages
import Testing

@Suite("`XXHash64`")
struct XXHash64Tests {
  @Test(
    "`XXHash64` matches the published test vectors",
    arguments: [
      ("", 0, 0xEF46_DB37_51D8_E999), ("a", 0, 0xD24E_C4F1_A98C_6E5B), ("abc", 0, 0x44BC_2CF5_AD77_0999),
      // Of the documentation of python-xxhash.
      ("Nobody inspects the spammish repetition", 0, 0xFBCE_A83C_8A37_8BF1),
    ] as [(String, UInt64, UInt64)])
  func vectors(_ row: (text: String, seed: UInt64, hash: UInt64)) {
    let hash = Array(row.text.utf8).withUnsafeBytes { XXHash64.hash($0, seed: row.seed) }
    #expect(hash == row.hash)
  }

  /// The self-test of the reference implementation: `BMK_sanityCheck` in `xxhsum.c` of github.com/Cyan4973/xxHash. Those of
  /// 32 bytes are of the tests of github.com/airlift/slice, which use the same bytes. Those of a multiple of four bytes were
  /// printed by xxhsum 0.8.1.
  @Test(
    "`XXHash64` matches the reference implementation, also beyond one block",
    arguments: [
      (0, 0, 0xEF46_DB37_51D8_E999), (0, prime, 0xAC75_FDA2_929B_17EF),
      (1, 0, 0x4FCE_394C_C889_52D8), (1, prime, 0x7398_40CB_819F_A723),
      (14, 0, 0xCFFA_8DB8_81BC_3A3D), (14, prime, 0x5B96_1158_5EFC_C9CB),
      (32, 0, 0xAF57_53D3_9159_EDEE), (32, prime, 0xDCAB_9233_B8CA_7B0F),
      (4, 0, 0x9256_E58A_A397_AEF1), (8, 0, 0xF74C_B145_1B32_B8CF), (12, 0, 0x68AC_CE12_687B_7E91),
      (16, 0, 0x1691_73A6_9711_3B29), (24, 0, 0xCEF5_D149_7F99_F246), (36, 0, 0x2D15_3906_9A26_C8D8),
      (40, 0, 0x0BAB_04D3_F176_9013),
      (101, 0, 0x0EAB_5433_84F8_78AD), (101, prime, 0xCAA6_5939_306F_1E21),
    ] as [(Int, UInt64, UInt64)])
  func reference(_ row: (count: Int, seed: UInt64, hash: UInt64)) {
    var generator = UInt32(Self.prime)
    let bytes = (0..<row.count).map { _ in
      defer { generator = generator &* generator }
      return UInt8(generator >> 24)
    }

    #expect(bytes.withUnsafeBytes { XXHash64.hash($0, seed: row.seed) } == row.hash)
  }

  private static let prime: UInt64 = 2_654_435_761

  @Test("Each bit changes the hash, at all lengths around a block")
  func everyBit() {
    for count in [1, 4, 7, 8, 31, 32, 33, 64, 75] {
      let bytes = [UInt8](repeating: 0x5A, count: count)
      var hashes: Set<UInt64> = [bytes.withUnsafeBytes { XXHash64.hash($0, seed: 0) }]
      for bit in 0..<(8 * count) {
        var changed = bytes
        changed[bit / 8] ^= 1 << (bit % 8)
        hashes.insert(changed.withUnsafeBytes { XXHash64.hash($0, seed: 0) })
      }
      #expect(hashes.count == 8 * count + 1)
    }
  }
}
