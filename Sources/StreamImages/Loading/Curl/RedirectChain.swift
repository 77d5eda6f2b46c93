import CTransport
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
  /// The methods and targets of the earlier hops.
  private let visited: Set<String>

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
    _ method: DataRequest.Method, _ body: Data?, visited: Set<String>
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
    let visited = visited.union(["\(self.method.rawValue) \(target)"])
    let nextTarget = next.text
    var (headers, method, body) = (headers, method, body)
    if nextOrigin != origin { headers = HeaderFields(headers.filter { !$0.staysWithOrigin }) }
    if status == 303 && !method.isSafe || [301, 302].contains(status) && method == .post {
      (method, body) = (.get, nil)
      headers = HeaderFields(headers.filter { !$0.isAboutContent })
    }
    // Loading from the URL that something was sent to is not a loop.
    guard !visited.contains("\(method.rawValue) \(nextTarget)") else { throw .redirectRefused(.loop) }
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

extension RedirectChain {
  /// Begins this hop, as in `CurlExchange.begin`. Returns false if libcurl refuses.
  func start(
    _ transfer: OpaquePointer, with configuration: CurlLoader.Configuration,
    _ priority: ImageRequest.Priority, waits: Bool, turn: Int
  ) -> Bool {
    // Before the time for the response is over, so that a request that may be repeated is.
    let silence = min(86_400, max(1, limits.firstByteTimeout.components.seconds / 3 * 2))
    let isChange = body != nil || !method.isSafe, sends = isChange && method != .head
    let urgency = priority.field(isIncremental: request.isIncremental, in: headers)
    let hasOwnHeaders = request.allowsContentCoding || isChange || !headers.isEmpty || urgency != nil
    let options = transport_options(
      uses_http2: configuration.usesHTTP2, waits_for_connection: waits, has_own_headers: hasOwnHeaders,
      accepts_coding: request.allowsContentCoding, is_head_only: method == .head,
      weight: priority.weight(in: request.isIncremental ? 0 : turn),
      connecting_milliseconds: milliseconds(toConnectWaiting: waits && turn > 0),
      silence_milliseconds: UInt32(silence) * 1000)
    let lines = hasOwnHeaders ? lines(configuration, sends, urgency) : []
    return lines.allSatisfy { transport_transfer_add_header(transfer, $0) } && (!sends || send(on: transfer))
      && transport_transfer_start(transfer, options)
  }

  private func lines(_ configuration: CurlLoader.Configuration, _ sends: Bool, _ urgency: String?) -> [String]
  {
    var lines: [String] = []
    if sends {
      // Removes two defaults of libcurl: a content type, and waiting for permission to send a large body.
      lines.append("Expect:")
      if headers["Content-Type"] == nil { lines.append("Content-Type:") }
    }
    for field in configuration.headers where headers[field.name] == nil {
      if !request.allowsContentCoding || !field.isNamed("Accept-Encoding") { lines.append(field.line) }
    }
    for field in headers { lines.append(field.line) }
    if let urgency { lines.append("Priority: \(urgency)") }
    return lines
  }

  /// libcurl has to know the time to connect, because it tries another address of the host after half of it. It would
  /// count the wait for another load's connection. A little more, because the loop ends those who wait with the load.
  private func milliseconds(toConnectWaiting waits: Bool) -> Int {
    let (seconds, attoseconds) = limits.connectTimeout.components
    guard !waits, seconds < 86_400 else { return 86_400_000 }
    let time = max(1, max(0, Int(seconds)) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
    return time + min(time / 4, 1000)
  }

  private func send(on transfer: OpaquePointer) -> Bool {
    guard let body else {
      return transport_transfer_send(transfer, method.rawValue, nil, method == .delete ? -1 : 0)
    }
    return body.withUnsafeBytes { bytes in
      transport_transfer_send(transfer, method.rawValue, bytes.baseAddress, Int64(bytes.count))
    }
  }
}

extension ImageRequest.Priority {
  /// The urgency of RFC 9218, of which 0 is the most urgent and "u=3" the default, and the weights of RFC 7540.
  private var levels: (urgency: String, weights: ClosedRange<Int32>) {
    switch self {
    case .veryLow: ("u=6", 1...3)
    case .low: ("u=5", 4...15)
    case .normal: ("", 16...127)
    case .high: ("u=1", 128...255)
    case .veryHigh: ("u=0", 256...256)
    }
  }

  /// The value of the `Priority` header, if there is something to say and the request does not.
  fileprivate func field(isIncremental: Bool, in headers: HeaderFields) -> String? {
    let urgency = levels.urgency
    guard !urgency.isEmpty || isIncremental, headers["Priority"] == nil else { return nil }
    return isIncremental ? urgency.isEmpty ? "i" : urgency + ", i" : urgency
  }

  /// The weight for older servers. It falls from load to load, because one that is complete can be shown, and a hundred
  /// beginnings cannot: nginx sends bodies of the same weight in turns, and others in their order.
  fileprivate func weight(in turn: Int) -> Int32 {
    max(levels.weights.lowerBound, levels.weights.upperBound - Int32(clamping: turn))
  }
}

extension HeaderFields.Field {
  /// For libcurl, a name with only a colon means to leave the header out.
  var line: String { value.isEmpty ? name + ";" : "\(name): \(value)" }
}

extension CurlLoader.Configuration {
  /// The default headers of each request.
  var headers: HeaderFields {
    var headers: HeaderFields = ["Accept-Encoding": "identity"]
    if !userAgent.isEmpty { headers["User-Agent"] = userAgent }
    // A line end would begin another header.
    return headers.withoutControls
  }

  /// What libcurl is told once, for all transfers.
  var settings: [(transport_setting, String)] {
    var settings: [(transport_setting, String)] = headers.map { (.header, $0.line) }
    settings += addressesOfNames.map { (.addresses, $0) }
    if let certificateAuthorities { settings.append((.authorities, certificateAuthorities)) }
    if let proxyInUse { settings.append((.proxy, proxyInUse)) }
    return settings
  }

  /// For libcurl, an empty proxy means none.
  private var proxyInUse: String? {
    switch proxy {
    case .environment: addressPolicy.isOpen ? nil : ""
    case .none: ""
    case .url(let url): url
    }
  }
}
