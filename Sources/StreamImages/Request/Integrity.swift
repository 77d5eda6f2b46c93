public import Foundation

/// The SHA-256 hash of the expected bytes.
///
/// ```swift
/// request.integrity = Integrity("sha256-n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=")
/// ```
public struct Integrity: Hashable, Sendable {
  /// 64 hexadecimal digits in lower case.
  public let sha256: String

  /// Parses 64 hexadecimal digits, or `sha256-` followed by Base64, as web pages write it.
  ///
  /// - Returns: `nil` for anything else.
  public init?(_ text: String) {
    if let rest = text.removingPrefix("sha256-") {
      guard let hash = Data(base64Encoded: String(rest)), hash.count == 32 else { return nil }
      sha256 = hash.map { byte in
        String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
      }
      .joined()
    } else {
      guard text.utf8.count == 64, text.allSatisfy(\.isHexDigit), text.allSatisfy(\.isASCII) else {
        return nil
      }
      sha256 = text.lowercased()
    }
  }

  /// Creates the integrity of these bytes.
  public init(of data: Data) { sha256 = SHA256.hex(data) }
}

extension Integrity: CustomStringConvertible {
  public var description: String { "sha256 \(sha256.prefix(12))…" }
}

extension String {
  fileprivate func removingPrefix(_ prefix: String) -> Substring? {
    hasPrefix(prefix) ? dropFirst(prefix.count) : nil
  }
}
