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
