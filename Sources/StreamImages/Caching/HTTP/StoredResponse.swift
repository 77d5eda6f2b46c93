package import Foundation

/// A response as an ``HTTPCache`` stores it.
package struct StoredResponse: Sendable {
  package var status: Int
  package var headers: HeaderFields
  package var url: URL
  /// The times of the request and the response, in seconds since 1970. Revalidation updates both.
  package var requestTime: Int
  package var responseTime: Int
  package var body: Data
  /// Whether the body is stored. Of a response with a status that was not accepted, only the head is.
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

  package var control: HTTPCacheControl { HTTPCacheControl(headers) }
  package var entityTag: EntityTag? { headers.entityTag }
  package var hasValidator: Bool { tagToSend != nil || headers["Last-Modified"] != nil }

  /// The tag for `If-None-Match`. Some servers leave out the quotation marks, and compare the text.
  package var tagToSend: String? {
    entityTag?.text
      ?? headers["ETag"].flatMap { text in
        let isWord = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\",".utf8.contains($0) }
        return isWord && !text.isEmpty ? text : nil
      }
  }

  /// Whether it can be returned for a request: of a status that is not accepted, the head is enough.
  package func suffices(for request: DataRequest) -> Bool {
    hasBody || !request.acceptedStatuses.contains(status)
  }

  /// The header names in `Vary`, sorted, in lower case. `nil` if the response matches no other request.
  package var varying: [String]? {
    let names = headers.values(for: "Vary").flatMap(listElements).map(\.lowercasedASCII)
    // A name that no request can have would hide what the response depends on.
    let isUsable = names.allSatisfy { $0 != "*" && $0.utf8.allSatisfy(isTokenByte) }
    return isUsable ? Set(names).sorted() : nil
  }

  /// Applies a 304 response, except the headers that describe its own, empty body. If the 304 has neither a date nor
  /// an age, its arrival counts, and the earlier date and age are dropped.
  package mutating func update(from head: LoadedHead, requestTime: Int, responseTime: Int) {
    let own = ["content-length", "content-encoding", "content-range", "content-type", "transfer-encoding"]
    let news = Self.storable(head.headers, isDecoded: head.isContentCoded).filter {
      !own.contains($0.name.lowercasedASCII)
    }
    for name in Set(news.map(\.name.lowercasedASCII) + ["date", "age"]) { headers.remove(name) }
    for field in news { headers.append(field.name, field.value) }
    (self.requestTime, self.responseTime) = (requestTime, responseTime)
  }

  /// Returns the head of a response made from this one.
  package func head(age: Int, _ status: CacheStatus) -> LoadedHead {
    var head = LoadedHead(
      status: self.status, headers: headers, url: url, expectedByteCount: hasBody ? body.count : 0)
    head.headers["Age"] = "\(age)"
    head.cacheStatus = status
    return head
  }

  /// Removes headers of the connection, secrets, and bytes that would be read back as the end of a header.
  private static func storable(_ headers: HeaderFields, isDecoded: Bool) -> HeaderFields {
    var dropped: Set = [
      "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info",
      "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "set-cookie", "set-cookie2",
    ]
    dropped.formUnion(headers.values(for: "Connection").flatMap(listElements).map(\.lowercasedASCII))
    if isDecoded { dropped.formUnion(["content-encoding", "content-length"]) }
    return HeaderFields(headers.filter { !dropped.contains($0.name.lowercasedASCII) }).withoutControls
  }
}

extension StoredResponse {
  private static let format = "http 1"

  /// `nil` if the entry is something else.
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
    var fields: [HeaderFields.Field] = []
    for line in (attributes["headers"] ?? "").utf8.split(separator: 0x0A) {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      let name = String(decoding: line[..<colon], as: UTF8.self)
      let value = trimmed(String(decoding: line[colon...].dropFirst(), as: UTF8.self))
      fields.append(HeaderFields.Field(name: name, value: value))
    }
    headers = HeaderFields(fields).withoutControls
  }

  /// Stores the URL without user and password.
  package var cached: CachedData {
    var attributes = [
      "format": Self.format, "status": "\(status)", "url": CanonicalURL(url, isWhole: true).text,
      "asked": "\(requestTime)", "answered": "\(responseTime)",
    ]
    attributes["headers"] = headers.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
    if !hasBody { attributes["body"] = "none" }
    return CachedData(body, attributes: attributes)
  }
}
