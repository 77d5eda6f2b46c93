/// Decides which requests get a response, and which one.
struct RequestDesk: Sendable {
  let port: UInt16
  let token: Token
  let snapshots: Snapshots

  /// - Parameter head: `nil` if the request was not valid.
  @Sendable func response(to head: RequestHead?) -> Response {
    guard let head else { return .text(400, "Bad Request") }
    guard head.method == "GET", isOwn(head), let path = pathAfterToken(of: head) else {
      return .text(403, "Forbidden")
    }
    guard let parameters = head.parameters else { return .text(400, "Bad Request") }
    switch path {
    case "": return .page
    case "live.json":
      guard let selection = Selection(parameters) else { return .text(400, "Bad Request") }
      return .json(snapshots.list(selection))
    case "events.json":
      guard let id = parameters["id"].flatMap({ Int($0) }), parameters.count == 1 else {
        return .text(400, "Bad Request")
      }
      return .json(snapshots.events(of: id))
    default: return .text(404, "Not Found")
    }
  }

  /// A page of another origin sends its `Origin`, and a name that was bound to this address afterwards sends its `Host`.
  private func isOwn(_ head: RequestHead) -> Bool {
    // Browsers leave out the port of HTTP.
    let ports = port == 80 ? ["", ":80"] : [":\(port)"]
    let hosts = ["127.0.0.1", "localhost"].flatMap { name in ports.map { name + $0 } }
    return hosts.contains { host in
      head.host == host && (head.origin == nil || head.origin?.elementsEqual("http://\(host)") == true)
    }
  }

  private func pathAfterToken(of head: RequestHead) -> Substring? {
    let parts = head.path.dropFirst().split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, token.isEqual(to: parts[0]) else { return nil }
    return parts[1]
  }
}

/// A whole response.
struct Response: Sendable {
  let bytes: [UInt8]

  private init(_ status: String, type: String, policy: String = "default-src 'none'", body: [UInt8]) {
    let head = [
      "HTTP/1.1 \(status)", "Content-Type: \(type); charset=utf-8", "Content-Length: \(body.count)",
      "Connection: close", "Cache-Control: no-store", "Referrer-Policy: no-referrer",
      "Content-Security-Policy: \(policy); frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
      "Cross-Origin-Resource-Policy: same-origin", "X-Content-Type-Options: nosniff", "", "",
    ]
    bytes = Array(head.joined(separator: "\r\n").utf8) + body
  }

  static func text(_ status: Int, _ words: String) -> Response {
    Response("\(status) \(words)", type: "text/plain", body: Array("\(words)\n".utf8))
  }

  static func json(_ text: String) -> Response {
    Response("200 OK", type: "application/json", body: Array(text.utf8))
  }

  /// The page. Only its own script runs: the one with a number that is new in each response.
  static var page: Response {
    let nonce = "\(Token())"
    let html = String(decoding: PackageResources.Page_html, as: UTF8.self).split(
      separator: "NONCE", omittingEmptySubsequences: false
    )
    .joined(separator: nonce)
    let policy =
      "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; img-src data:; connect-src 'self'"
    return Response("200 OK", type: "text/html", policy: policy, body: Array(html.utf8))
  }
}
