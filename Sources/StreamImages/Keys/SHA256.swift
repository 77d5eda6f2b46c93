internal import CCrypto
internal import Foundation

/// SHA-256, for the names of files and for secrets in keys. Computed by libcrypto.
package enum SHA256 {
  /// The hash of `bytes` as 64 lower-case hexadecimal digits.
  package static func hex(_ bytes: [UInt8]) -> String { bytes.withUnsafeBytes { hex($0) } }

  static func hex(_ data: Data) -> String { data.withUnsafeBytes { hex($0) } }

  private static func hex(_ bytes: UnsafeRawBufferPointer) -> String {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { digest in
      _ = CCrypto.SHA256(bytes.baseAddress, bytes.count, digest.baseAddress)
      return String(unsafeUninitializedCapacity: 64) { text in
        for (index, byte) in digest.enumerated() {
          text[2 * index] = digit(byte >> 4)
          text[2 * index + 1] = digit(byte & 15)
        }
        return 64
      }
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
}
