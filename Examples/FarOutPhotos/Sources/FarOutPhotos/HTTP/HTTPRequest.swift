/// What was asked for.
struct HTTPRequest: Sendable {
  let method: String
  /// Between slashes, without those.
  let path: [String]
  let query: [String: String]
  /// Names in lower case.
  let headers: [String: String]

  /// - Parameter head: Without the empty line at its end. `nil` for what is no request of HTTP/1.1 or 1.0.
  init?(head: some Collection<UInt8>) {
    let lines = String(decoding: head, as: UTF8.self).split(
      separator: "\r\n", omittingEmptySubsequences: false)
    let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[1].first == "/", words[2].hasPrefix("HTTP/1.") else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      headers[line[..<colon].lowercased()] = String(value)
    }
    method = String(words[0])
    self.headers = headers

    let target = words[1].split(separator: "?", maxSplits: 1)
    path = target[0].split(separator: "/").map(String.init)
    let pairs = (target.count > 1 ? target[1] : "").split(separator: "&").map {
      $0.split(separator: "=", maxSplits: 1).map(String.init)
    }
    query = Dictionary(pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { $1 }
  }

  /// Whether there is a body, which nothing here is for.
  var hasBody: Bool { headers["transfer-encoding"] != nil || headers["content-length", default: "0"] != "0" }

  /// Whether the client has the very bytes that this strong tag stands for.
  func knows(_ tag: String) -> Bool {
    guard let known = headers["if-none-match"] else { return false }
    return known == "*"
      || known.split(separator: ",").contains { text in
        let text = text.drop { $0 == " " }
        return (text.hasPrefix("W/") ? text.dropFirst(2) : text) == tag
      }
  }
}
