public import Foundation

/// The text of a URL without its secrets, for logs.
///
/// User, password and fragment are left out, and so is the content of a `data:` URL. A query is replaced by `?…`. Host and
/// path remain.
public struct RedactedURL: Sendable, Hashable, CustomStringConvertible {
  public let description: String

  /// Creates the text of `url`.
  ///
  /// - Complexity: O(n) in the length of the URL.
  public init(_ url: URL) { description = Redaction.text(of: url) }
}

/// Removes from URLs what must not be logged: user, password, query, fragment, inline data.
enum Redaction {
  static func text(of url: URL) -> String { text(of: url.absoluteString) }

  static func text(of url: String) -> String {
    var reference = URIReference(url)
    if reference.scheme == "data" { return "data:…" }
    if let authority = reference.authority { reference.authority = Authority(authority).withoutUser }
    if reference.query != nil { reference.query = "…" }
    reference.fragment = nil
    return reference.text
  }
}
