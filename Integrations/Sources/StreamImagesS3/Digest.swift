internal import CS3Crypto
internal import Foundation

/// SHA-256 and its HMAC, computed by libcrypto.
enum Digest {
  static func sha256(_ data: Data) -> [UInt8] {
    data.withUnsafeBytes { bytes in
      [UInt8](unsafeUninitializedCapacity: 32) { digest, count in
        _ = SHA256(bytes.baseAddress, bytes.count, digest.baseAddress)
        count = 32
      }
    }
  }

  static func hmac(_ text: String, key: [UInt8]) -> [UInt8] {
    let message = Array(text.utf8)
    return [UInt8](unsafeUninitializedCapacity: 32) { digest, count in
      _ = HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, digest.baseAddress, nil)
      count = 32
    }
  }

  static func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
