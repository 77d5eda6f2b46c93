package import Foundation

/// One load on its way: where it is now, what it may still carry, where it has been.
package struct Journey: Sendable {
  package let request: DataRequest
  package let limits: LoadLimits
  /// A URI without fragment.
  package private(set) var target: String
  package private(set) var origin: Origin
  package private(set) var headers: HeaderFields
  package private(set) var method: DataRequest.Method
  package private(set) var body: Data?
  /// Where it has been before it was redirected to where it is.
  private var visited: Set<String> = []

  package init(_ request: DataRequest, limits: LoadLimits) throws(DataLoadingError) {
    var target = request.url.absoluteString
    var reference = URIReference(target)
    let scheme = reference.scheme ?? ""
    if reference.fragment != nil || !target.utf8.starts(with: scheme.utf8) {
      reference.fragment = nil
      target = reference.text
    }
    guard ["http", "https"].contains(scheme), limits.allowedSchemes.contains(scheme) else {
      throw .unsupportedScheme(scheme)
    }
    guard let origin = Origin(reference), isPrintable(target) else {
      throw .badURL(Redaction.text(of: request.url))
    }
    if let field = request.headers.first(where: { !$0.isSendable }) { throw .invalidHeader(name: field.name) }
    self.request = request
    self.limits = limits
    self.target = target
    self.origin = origin
    headers = request.headers
    (method, body) = (request.method, request.body)
  }

  var wasRedirected: Bool { !visited.isEmpty }

  /// Goes where an answer points to, leaving secrets behind if that is another origin, and what was to be sent if the
  /// answer is only to be fetched there.
  package mutating func follow(_ location: String, status: Int = 302) throws(DataLoadingError) {
    guard visited.count < limits.maximumRedirectCount else {
      throw .tooManyRedirects(limit: limits.maximumRedirectCount)
    }
    let reference = URIReference(encodingUnprintable(location))
    var next = reference.resolved(against: URIReference(target))
    next.fragment = nil
    // A server must not choose who we say we are.
    if let authority = reference.authority { next.authority = Authority(authority).withoutUser }
    let scheme = next.scheme ?? ""
    guard ["http", "https"].contains(scheme), limits.allowedSchemes.contains(scheme) else {
      throw .redirectRefused(.scheme(scheme))
    }
    guard let nextOrigin = Origin(next) else { throw .redirectRefused(.badLocation) }
    guard origin.scheme == "http" || scheme == "https" else { throw .redirectRefused(.downgrade) }
    visited.insert(target)
    let nextTarget = next.text
    guard !visited.contains(nextTarget) else { throw .redirectRefused(.loop) }
    if nextOrigin != origin { headers = HeaderFields(headers.filter { !$0.staysWithOrigin }) }
    if status == 303 && !method.isSafe || [301, 302].contains(status) && method == .post {
      (method, body) = (.get, nil)
      headers = HeaderFields(headers.filter { !$0.isAboutContent })
    }
    (target, origin) = (nextTarget, nextOrigin)
  }
}

extension HeaderFields.Field {
  fileprivate var isAboutContent: Bool {
    ["content-type", "content-encoding", "content-language", "content-location", "digest", "content-digest"]
      .contains {
        isNamed($0)
      }
  }
}

/// What may stand in a URL, other than letters that must be encoded: the rest would be read differently by
/// different readers.
private func isPrintable(_ text: String) -> Bool {
  var text = text
  return text.withUTF8 { bytes in bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F } }
}

private func encodingUnprintable(_ location: String) -> String {
  var encoded = ""
  for byte in location.utf8 {
    if byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "\\") {
      encoded.unicodeScalars.append(Unicode.Scalar(byte))
    } else {
      let digits = String(byte, radix: 16, uppercase: true)
      encoded += digits.count == 1 ? "%0" + digits : "%" + digits
    }
  }
  return encoded
}
