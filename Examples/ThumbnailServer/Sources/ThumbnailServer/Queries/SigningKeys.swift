internal import CSignatures
internal import Foundation

/// The keys with which URLs are signed. All of them are valid, so that a new one can be added before an old one is removed.
///
/// A signature is the HMAC-SHA-256 of a salt and a text, in base64url without padding: that of imgproxy.
package struct SigningKeys: Sendable {
  private struct Pair: Sendable {
    var key: [UInt8]
    var salt: [UInt8]
  }

  private let pairs: [Pair]
  private let byteCount: Int

  /// No key: nothing is signed.
  package static let none = SigningKeys()

  private init() { (pairs, byteCount) = ([], 32) }

  /// - Parameters:
  ///   - keys: In hexadecimal digits.
  ///   - salts: One for each key, in hexadecimal digits.
  ///   - byteCount: The length of a signature, from 1 to 32 bytes.
  /// - Throws: A text for people. It does not contain keys.
  package init(keys: [String], salts: [String], byteCount: Int = 32) throws {
    guard keys.count == salts.count else { throw ConfigurationError("Each key needs a salt.") }
    guard (1...32).contains(byteCount) else { throw ConfigurationError("A signature has 1 to 32 bytes.") }
    pairs = try zip(keys, salts).map { key, salt in
      guard let key = Self.bytes(key), !key.isEmpty, let salt = Self.bytes(salt) else {
        throw ConfigurationError("Keys and salts are hexadecimal digits, and keys are not empty.")
      }
      return Pair(key: key, salt: salt)
    }
    self.byteCount = byteCount
  }

  package var isEmpty: Bool { pairs.isEmpty }

  /// The signature of `text` by the first key; `nil` without one.
  package func signature(of text: String) -> String? { pairs.first.map { signature(of: text, by: $0) } }

  /// Takes the same time for every wrong signature of the right length.
  package func isValid(_ signature: String, of text: String) -> Bool {
    let given = Array(signature.utf8)
    var isValid = false
    for pair in pairs {
      let right = Array(self.signature(of: text, by: pair).utf8)
      if given.count == right.count, CRYPTO_memcmp(given, right, right.count) == 0 { isValid = true }
    }
    return isValid
  }

  private func signature(of text: String, by pair: Pair) -> String {
    let message = pair.salt + Array(text.utf8)
    let digest = [UInt8](unsafeUninitializedCapacity: 32) { digest, count in
      _ = HMAC(
        EVP_sha256(), pair.key, Int32(pair.key.count), message, message.count, digest.baseAddress, nil)
      count = 32
    }
    return Data(digest.prefix(byteCount)).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  private static func bytes(_ hex: String) -> [UInt8]? {
    let digits = hex.utf8.map { UInt8($0) }.map { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count % 2 == 0, !digits.contains(nil) else { return nil }
    let values = digits.compactMap { $0 }
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }
}

/// Whether two secrets are the same, in a time that does not depend on where they differ.
func isSameSecret(_ left: String, _ right: String) -> Bool {
  let (left, right) = (Array(left.utf8), Array(right.utf8))
  return left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
}
