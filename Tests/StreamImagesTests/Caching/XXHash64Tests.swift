import StreamImages
import Testing

@Suite("XXHash64")
struct XXHash64Tests {
  @Test(
    "gives what its specification says",
    arguments: [
      ("", 0, 0xEF46_DB37_51D8_E999), ("a", 0, 0xD24E_C4F1_A98C_6E5B), ("abc", 0, 0x44BC_2CF5_AD77_0999),
    ] as [(String, UInt64, UInt64)])
  func vectors(_ row: (text: String, seed: UInt64, hash: UInt64)) {
    let hash = Array(row.text.utf8).withUnsafeBytes { XXHash64.hash($0, seed: row.seed) }
    #expect(hash == row.hash)
  }

  @Test("changes with every bit, of every length around a block")
  func everyBit() {
    for count in [1, 4, 7, 8, 31, 32, 33, 64, 75] {
      let bytes = [UInt8](repeating: 0x5A, count: count)
      var hashes: Set<UInt64> = [bytes.withUnsafeBytes { XXHash64.hash($0) }]
      for bit in 0..<(8 * count) {
        var changed = bytes
        changed[bit / 8] ^= 1 << (bit % 8)
        hashes.insert(changed.withUnsafeBytes { XXHash64.hash($0) })
      }
      #expect(hashes.count == 8 * count + 1)
    }
  }
}
