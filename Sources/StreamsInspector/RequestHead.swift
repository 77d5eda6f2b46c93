/// The head of a request, if it is one that a browser would send for a page: without a body, in printable ASCII.
struct RequestHead {
  /// Including the empty line.
  static let maximumByteCount = 8 << 10

  let method: Substring
  let path: Substring
  let query: Substring
  let host: Substring
  let origin: Substring?

  /// - Parameter bytes: All that has arrived, which must be the head and nothing else.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.maximumByteCount else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x0D || $0 == 0x0A }) else { return nil }
    let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
    guard lines.count >= 3, lines.suffix(2).allSatisfy(\.isEmpty) else { return nil }
    guard lines.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x20 } }) else { return nil }

    let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[2] == "HTTP/1.1", words[1].hasPrefix("/") else { return nil }
    var (host, origin) = (Substring?.none, Substring?.none)
    for line in lines.dropFirst().dropLast(2) {
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex, !line[..<colon].contains(" ")
      else { return nil }
      var value = line[line.index(after: colon)...].drop { $0 == " " }
      while value.last == " " { value.removeLast() }
      switch line[..<colon].lowercased() {
      case "host":
        if host != nil { return nil }
        host = value
      case "origin":
        if origin != nil { return nil }
        origin = value
      case "transfer-encoding": return nil
      case "content-length": if value != "0" { return nil }
      default: break
      }
    }
    guard let host else { return nil }
    let parts = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    (method, path, query) = (words[0], parts[0], parts.count > 1 ? parts[1] : "")
    (self.host, self.origin) = (host, origin)
  }

  /// The values of the query; `nil` if it is not valid.
  var parameters: [String: String]? {
    var parameters: [String: String] = [:]
    for part in query.split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, let value = decoded(pair[1]) else { return nil }
      guard parameters.updateValue(value, forKey: String(pair[0])) == nil else { return nil }
    }
    return parameters
  }

  /// `nil` if the percent signs or the characters are not valid.
  private func decoded(_ text: Substring) -> String? {
    var (bytes, rest): ([UInt8], Substring.UTF8View) = ([], text.utf8)
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      guard digits.count == 2, digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
        let value = UInt8(Substring(digits), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
