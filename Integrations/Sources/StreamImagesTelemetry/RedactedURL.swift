internal import Foundation

/// A URL without user, password, query and fragment, and without the content of a `data:` URL.
struct RedactedURL: CustomStringConvertible {
  let description: String

  init(_ url: URL) {
    let scheme = url.scheme?.lowercased() ?? ""
    guard scheme != "data", var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
      description = "\(scheme):…"
      return
    }
    (parts.user, parts.password, parts.percentEncodedQuery, parts.fragment) = (nil, nil, nil, nil)
    description = parts.string ?? "\(scheme):…"
  }
}
