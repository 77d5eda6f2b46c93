/// `bytes 100-199/1000`
package struct ContentRange: Equatable {
  package var first: Int
  package var last: Int
  package var total: Int?

  package init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
    let bounds = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, bounds.count == 2, let first = Self.number(bounds[0]),
      let last = Self.number(bounds[1]), first <= last, last < Int.max
    else { return nil }
    total = Self.number(parts[1])
    guard parts[1] == "*" || total.map({ last < $0 }) ?? false else { return nil }
    (self.first, self.last) = (first, last)
  }

  /// Whether this can be the answer to a `Range` of one part: same start, no more than asked for.
  package func answers(_ asked: String) -> Bool {
    guard asked.lowercased().hasPrefix("bytes=") else { return false }
    let bounds = asked.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
    guard bounds.count == 2 else { return false }
    switch (Self.number(bounds[0]), Self.number(bounds[1])) {
    case (let from?, let through?): return first == from && last <= through
    case (let from?, nil): return bounds[1].isEmpty && first == from
    case (nil, let count?):
      return bounds[0].isEmpty && last - first < count && (total.map { last == $0 - 1 } ?? true)
    case (nil, nil): return false
    }
  }

  private static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text)
  }
}
