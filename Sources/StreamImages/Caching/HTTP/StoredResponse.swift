package import Foundation

/// An answer as an ``HTTPCache`` keeps it.
package struct StoredResponse: Sendable {
  package var status: Int
  package var headers: HeaderFields
  package var url: URL
  /// When it was asked for and when it came, in seconds since 1970. Asking again moves both.
  package var requestTime: Int
  package var responseTime: Int
  package var body: Data
  /// Whether the body was kept: of an answer that nobody accepted only the head is.
  package var hasBody: Bool

  package init(_ head: LoadedHead, body: Data?, requestTime: Int, responseTime: Int) {
    status = head.status
    headers = Self.storable(head.headers, isDecoded: head.isContentCoded)
    url = head.url
    self.requestTime = requestTime
    self.responseTime = responseTime
    self.body = body ?? Data()
    hasBody = body != nil
  }

  package var control: CacheControl { CacheControl(headers) }
  package var entityTag: EntityTag? { headers["ETag"].flatMap(EntityTag.init) }
  package var hasValidator: Bool { entityTag != nil || headers["Last-Modified"] != nil }

  /// The names that `Vary` lists, in lower case and in order; `nil` if no other request gets this answer.
  package var varying: [String]? { Self.varying(headers) }

  package static func varying(_ headers: HeaderFields) -> [String]? {
    let names = headers.values(for: "Vary").flatMap { $0.split(separator: ",") }
      .map { trimmed(String($0)).lowercased() }.filter { !$0.isEmpty }
    return names.contains("*") ? nil : Set(names).sorted()
  }

  /// Takes over what a 304 says, except what describes its own, absent, body. If it says neither when it was made nor
  /// how old it is, it is as old as its arrival, and what the first answer said of that is over.
  package mutating func update(from head: LoadedHead, requestTime: Int, responseTime: Int) {
    let own = ["content-length", "content-encoding", "content-range", "content-type", "transfer-encoding"]
    let news = Self.storable(head.headers, isDecoded: false).filter { !own.contains($0.name.lowercased()) }
    for name in Set(news.map { $0.name.lowercased() } + ["date", "age"]) { headers.remove(name) }
    for field in news { headers.append(field.name, field.value) }
    (self.requestTime, self.responseTime) = (requestTime, responseTime)
  }

  /// The head of an answer made of this one.
  package func head(age: Int, _ status: CacheStatus) -> LoadedHead {
    var head = LoadedHead(
      status: self.status, headers: headers, url: url, expectedByteCount: hasBody ? body.count : 0)
    head.headers["Age"] = "\(age)"
    head.cacheStatus = status
    return head
  }

  /// Without what belongs to one connection, and without secrets.
  private static func storable(_ headers: HeaderFields, isDecoded: Bool) -> HeaderFields {
    var dropped: Set = [
      "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info",
      "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "set-cookie", "set-cookie2",
    ]
    for field in headers.values(for: "Connection") {
      dropped.formUnion(field.split(separator: ",").map { trimmed(String($0)).lowercased() })
    }
    if isDecoded { dropped.formUnion(["content-encoding", "content-length"]) }
    return HeaderFields(headers.filter { !dropped.contains($0.name.lowercased()) })
  }
}

extension StoredResponse {
  private static let format = "http 1"

  /// `nil` if it is something else.
  package init?(_ cached: CachedData) {
    let attributes = cached.attributes
    guard attributes["format"] == Self.format, let status = attributes["status"].flatMap({ Int($0) }),
      let url = attributes["url"].flatMap({ URL(string: $0) }),
      let requestTime = attributes["asked"].flatMap({ Int($0) }),
      let responseTime = attributes["answered"].flatMap({ Int($0) })
    else { return nil }
    self.status = status
    self.url = url
    self.requestTime = requestTime
    self.responseTime = responseTime
    body = cached.data
    hasBody = attributes["body"] != "none"
    headers = HeaderFields()
    for line in attributes["headers"]?.split(separator: "\n") ?? [] {
      guard let colon = line.firstIndex(of: ":") else { return nil }
      headers.append(String(line[..<colon]), trimmed(String(line[line.index(after: colon)...])))
    }
  }

  /// User and password of the URL are not kept.
  package var cached: CachedData {
    var attributes = [
      "format": Self.format, "status": "\(status)", "url": CanonicalURL(url).text, "asked": "\(requestTime)",
      "answered": "\(responseTime)",
    ]
    attributes["headers"] = headers.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
    if !hasBody { attributes["body"] = "none" }
    return CachedData(body, attributes: attributes)
  }
}
