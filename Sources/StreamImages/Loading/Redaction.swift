import Foundation

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
