package import Foundation

/// A request and the redirects it has followed: its present target, and the headers and body it still sends.
///
/// It is immutable: each redirect makes another one. A reference type, because it is passed on often.
package final class RedirectChain: Sendable {
  package let request: DataRequest
  package let limits: LoadLimits
  private let hosts: HostPolicy
  /// A URI without a fragment.
  package let target: String
  package let origin: Origin
  package let headers: HeaderFields
  package let method: DataRequest.Method
  package let body: Data?
  /// The earlier hops: method and target.
  private let visited: Set<Stop>

  private struct Stop: Hashable {
    let method: DataRequest.Method
    let target: String
  }

  package init(
    _ request: DataRequest, limits: LoadLimits, hosts: HostPolicy = .any
  ) throws(DataLoadingError) {
    let target = Self.target(request.url.absoluteString)
    let scheme = target.scheme
    guard scheme == "http" || scheme == "https", limits.allowedSchemes.contains(scheme) else {
      throw .unsupportedScheme(scheme)
    }
    guard let origin = target.origin, isPrintable(target.text) else {
      throw .badURL(Redaction.text(of: request.url))
    }
    guard hosts.allows(origin) else { throw .hostRefused(host: origin.host) }
    if let field = request.headers.first(where: { !$0.isSendable }) { throw .invalidHeader(name: field.name) }
    self.request = request
    self.limits = limits.bounded
    self.hosts = hosts
    self.target = target.text
    self.origin = origin
    headers = request.headers
    (method, body) = (request.method, request.body)
    visited = []
  }

  private init(
    _ earlier: RedirectChain, to target: String, at origin: Origin, _ headers: HeaderFields,
    _ method: DataRequest.Method, _ body: Data?, visited: Set<Stop>
  ) {
    (request, limits, hosts) = (earlier.request, earlier.limits, earlier.hosts)
    (self.target, self.origin, self.headers) = (target, origin, headers)
    (self.method, self.body, self.visited) = (method, body, visited)
  }

  /// Removes the fragment, which is not sent, and puts the scheme in lower case, as libcurl requires.
  private static func target(_ url: String) -> (text: String, scheme: String, origin: Origin?) {
    var url = url
    let (scheme, origin, isPlain) = url.withUTF8 { bytes in
      let parts = URIParts(bytes)
      let scheme = parts.scheme.map { String(lowercasing: bytes[$0]) } ?? ""
      return (scheme, Origin(parts, of: bytes), parts.fragment == nil && bytes.starts(with: scheme.utf8))
    }
    if isPlain { return (url, scheme, origin) }
    var reference = URIReference(url)
    reference.fragment = nil
    return (reference.text, scheme, origin)
  }

  var redirectCount: Int { visited.count }
  var wasRedirected: Bool { redirectCount > 0 }

  /// Returns the error of the load if the present hop fails. It must not look as if nothing was sent once an earlier
  /// hop may have changed something.
  func failure(_ error: DataLoadingError) -> DataLoadingError {
    guard wasRedirected, !request.method.isSafe, error.cameBeforeTheServer else { return error }
    return .connectionLost(.firstByte, reason: error.description)
  }

  /// Returns the chain with one more redirect. Secrets are dropped if it leads to another origin, and the body if the
  /// method changes to GET.
  package func following(_ location: String, status: Int = 302) throws(DataLoadingError) -> RedirectChain {
    guard visited.count < limits.maximumRedirectCount else {
      throw .tooManyRedirects(limit: limits.maximumRedirectCount)
    }
    let reference = URIReference(encodingUnprintable(location))
    var next = reference.resolved(against: URIReference(target))
    next.fragment = nil
    let authority = reference.authority.map { Authority($0) }
    // A server must not choose the user.
    if let authority { next.authority = authority.withoutUser }
    let scheme = next.scheme ?? ""
    guard ["http", "https"].contains(scheme), limits.allowedSchemes.contains(scheme) else {
      throw .redirectRefused(.scheme(scheme))
    }
    guard let nextOrigin = Origin(next), authority?.isValid ?? true else {
      throw .redirectRefused(.badLocation)
    }
    guard origin.scheme == "http" || scheme == "https" else { throw .redirectRefused(.downgrade) }
    guard hosts.allows(nextOrigin) else { throw .redirectRefused(.host(nextOrigin.host)) }
    let visited = visited.union([Stop(method: self.method, target: target)])
    let nextTarget = next.text
    var (headers, method, body) = (headers, method, body)
    if nextOrigin != origin { headers = HeaderFields(headers.filter { !$0.staysWithOrigin }) }
    if status == 303 && !method.isSafe || [301, 302].contains(status) && method == .post {
      (method, body) = (.get, nil)
      headers = HeaderFields(headers.filter { !$0.isAboutContent })
    }
    // Loading from the URL that something was sent to is not a loop.
    guard !visited.contains(Stop(method: method, target: nextTarget)) else { throw .redirectRefused(.loop) }
    return RedirectChain(self, to: nextTarget, at: nextOrigin, headers, method, body, visited: visited)
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

/// Whether all characters may appear in a URL. Others would be read differently by different parsers.
private func isPrintable(_ text: String) -> Bool {
  var text = text
  return text.withUTF8 { bytes in bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F } }
}

/// Encodes what may not appear in a URL. Some servers send it as it is.
private func encodingUnprintable(_ location: String) -> String {
  var encoded = ""
  for byte in location.utf8 {
    if byte > 0x20, byte < 0x7F, !"\\\"<>^`{|}".utf8.contains(byte) {
      encoded.unicodeScalars.append(Unicode.Scalar(byte))
    } else {
      let digits = String(byte, radix: 16, uppercase: true)
      encoded += digits.count == 1 ? "%0" + digits : "%" + digits
    }
  }
  return encoded
}
