import Foundation

/// 128 bits that differ if the bytes do, but for a rare chance or an attacker: for tags of bytes that are our own.
struct Fingerprint: CustomStringConvertible {
  private var high: UInt64 = 0xCBF2_9CE4_8422_2325
  private var low: UInt64 = 0x9E37_79B9_7F4A_7C15

  init(of data: Data) {
    data.withUnsafeBytes { bytes in
      // Word by word: originals have tens of millions of bytes.
      let wordCount = bytes.count / 8
      for index in 0..<wordCount {
        mix(bytes.loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self).littleEndian)
      }
      for index in (wordCount * 8)..<bytes.count { mix(UInt64(bytes[index])) }
    }
    mix(UInt64(data.count))
  }

  private mutating func mix(_ word: UInt64) {
    high = (high ^ word) &* 0x0000_0100_0000_01B3
    high ^= high >> 29
    low = (low &+ word) &* 0xBF58_476D_1CE4_E5B9
    low ^= low >> 31
  }

  var description: String {
    [high, low].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    .joined()
  }
}
