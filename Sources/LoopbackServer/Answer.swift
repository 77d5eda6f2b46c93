import Foundation

/// A reply fitted to a request, with validators and ranges applied, and the head.
struct Answer {
  var head: [UInt8]
  var body: Data
  var closes: Bool

  init(_ reply: Reply, to request: Request) {
    var (status, headers, body) = (reply.status, reply.headers, reply.body)
    if let tag = reply.entityTag { headers.append(("ETag", tag)) }
    if let date = reply.lastModified { headers.append(("Last-Modified", HTTPDate.text(of: date))) }
    if reply.acceptsRanges { headers.append(("Accept-Ranges", "bytes")) }
    if reply.isUnchanged(for: request) {
      (status, body) = (304, Data())
    } else if reply.acceptsRanges, status == 200, let asked = request[header: "Range"],
      reply.isSame(as: request[header: "If-Range"])
    {
      var shift = 0
      if case .shiftRange(let count) = reply.fault { shift = count }
      if let bounds = ByteRange.bounds(asked, of: body.count)?.shifted(by: shift, within: body.count) {
        headers.append(("Content-Range", "bytes \(bounds.lowerBound)-\(bounds.upperBound - 1)/\(body.count)"))
        (status, body) = (206, body.subdata(in: bounds))
      } else if ByteRange.isOneRange(asked) {
        headers.append(("Content-Range", "bytes */\(body.count)"))
        (status, body) = (416, Data())
      }
    }

    closes = !reply.keepsAlive || request[header: "Connection"]?.lowercased() == "close"
    switch reply.framing {
    case _ where status == 304: break
    case _ where reply.isEndless: headers.append(("Transfer-Encoding", "chunked"))
    case .contentLength: headers.append(("Content-Length", reply.announcedLength ?? String(body.count)))
    case .chunked: headers.append(("Transfer-Encoding", "chunked"))
    case .untilClose: closes = true
    }
    closes = closes || reply.breaksFraming
    if closes { headers.append(("Connection", "close")) }
    self.body = request.method == "HEAD" ? Data() : body
    if case .rawHead(let raw) = reply.fault {
      head = Array(raw.utf8)
    } else {
      let lines = ["HTTP/1.1 \(status) \(Self.reason(status))"] + headers.map { "\($0.name): \($0.value)" }
      head = Array((lines + ["", ""]).joined(separator: "\r\n").utf8)
    }
  }

  private static func reason(_ status: Int) -> String {
    [200: "OK", 206: "Partial Content", 304: "Not Modified", 404: "Not Found"][status] ?? "Status"
  }
}

extension Reply {
  fileprivate var isEndless: Bool {
    if case .endless = fault { true } else { false }
  }

  fileprivate var announcedLength: String? {
    if case .announce(let length) = fault { length } else { nil }
  }

  fileprivate var breaksFraming: Bool {
    switch fault {
    case .announce, .rawHead, .endless: true
    default: false
    }
  }

  /// Checks `If-None-Match` first, then `If-Modified-Since`. Tags are compared weakly.
  fileprivate func isUnchanged(for request: Request) -> Bool {
    guard status == 200 else { return false }
    if let known = request[header: "If-None-Match"] {
      guard let entityTag else { return false }
      let tags = known.split(separator: ",").map { Self.opaque($0.trimmingCharacters(in: .whitespaces)) }
      return known == "*" || tags.contains(Self.opaque(entityTag))
    }
    guard let lastModified, let since = request[header: "If-Modified-Since"].flatMap(HTTPDate.date) else {
      return false
    }
    return lastModified.timeIntervalSince1970.rounded(.down) <= since.timeIntervalSince1970
  }

  /// Checks `If-Range`: strong tags are compared strongly, dates exactly.
  fileprivate func isSame(as validator: String?) -> Bool {
    guard let validator else { return true }
    if validator.hasPrefix("W/") { return false }
    if validator.hasPrefix("\"") { return validator == entityTag }
    return lastModified.map { HTTPDate.text(of: $0) == validator } ?? false
  }

  private static func opaque(_ tag: String) -> String {
    tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
  }
}
