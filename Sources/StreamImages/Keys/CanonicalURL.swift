package import Foundation

/// A URL in canonical form, for keys.
///
/// Scheme and host are in lower case. The default port, user, password and fragment are removed, unless the authority is
/// not valid, and an empty path is "/". Percent encoding and dots in the path are kept, because servers differ in how they
/// treat them. Of a URL of more than 4,096 bytes, this is a hash by default.
package struct CanonicalURL {
  package let text: String
  /// User and password.
  package let user: String?

  /// - Parameter isWhole: Whether a long URL is kept, because it is read again, and not hashed.
  package init(_ url: URL, isWhole: Bool = false) {
    let absolute = url.absoluteString
    guard isWhole || absolute.utf8.count <= 4_096 else {
      // A data URL may have a megabyte. Its hash identifies it as well.
      text = "sha256:" + SHA256.hex(Array(absolute.utf8))
      user = nil
      return
    }
    if Self.isCanonical(absolute) {
      text = absolute
      user = nil
      return
    }
    var reference = URIReference(absolute)
    reference.fragment = nil
    let authority = reference.authority.map { Authority($0) }
    if let authority, authority.isValid, let scheme = reference.scheme {
      let isDefault = authority.port == (scheme == "https" ? 443 : scheme == "http" ? 80 : nil)
      reference.authority = isDefault ? authority.host : authority.withoutUser
      if reference.path.isEmpty { reference.path = "/" }
    }
    text = reference.text
    user = authority?.user
  }

  /// Whether the URL is canonical already. Most are, and each lookup in memory needs a key.
  private static func isCanonical(_ url: String) -> Bool {
    let bytes = url.utf8
    let rest: Substring.UTF8View
    if url.hasPrefix("https://") {
      rest = bytes.dropFirst(8)
    } else if url.hasPrefix("http://") {
      rest = bytes.dropFirst(7)
    } else {
      return false
    }
    var isInHost = true
    for byte in rest {
      switch byte {
      case UInt8(ascii: "#"): return false
      case UInt8(ascii: "/"): isInHost = false
      case UInt8(ascii: "@"), UInt8(ascii: ":"), UInt8(ascii: "?"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
        if isInHost { return false }
      default: break
      }
    }
    return !isInHost
  }
}
