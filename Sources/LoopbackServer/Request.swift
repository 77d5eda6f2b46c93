/// A received request.
package struct Request: Sendable {
  /// The number of the request on this server, from 1.
  package let number: Int
  /// The number of its connection, from 1.
  package let connection: Int
  package let method: String
  /// The request target, unchanged. A whole URL if the server is used as a proxy.
  package let target: String
  package let headers: [(name: String, value: String)]
  package internal(set) var body: [UInt8] = []
  private(set) var bodyByteCount = 0
  package let time: ContinuousClock.Instant

  /// The target without scheme, host and query.
  package var path: String {
    var rest = target.prefix { $0 != "?" }
    if let scheme = rest.firstRange(of: "://") {
      rest = rest[scheme.upperBound...].drop { $0 != "/" }
    }
    return String(rest)
  }

  /// The part after the question mark.
  package var query: String? {
    target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
  }

  /// The first value of a header.
  package subscript(header name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

extension Request {
  /// Parses a head without its empty line. `nil` if it is not valid.
  init?(head: some Sequence<UInt8>, number: Int, connection: Int) {
    let lines = String(decoding: Array(head), as: UTF8.self).split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return nil }
    var headers: [(name: String, value: String)] = []
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      headers.append((String(line[..<colon]), String(value)))
    }
    (self.number, self.connection, self.headers, time) = (number, connection, headers, .now)
    (method, target) = (String(words[0]), String(words[1]))
    guard let count = Int(self[header: "Content-Length"] ?? "0"), count >= 0 else { return nil }
    bodyByteCount = count
  }
}
