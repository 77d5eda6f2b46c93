/// A `Content-Range`: `bytes 100-199/1000`.
package struct ContentRange: Equatable {
  package var first: Int
  package var last: Int
  package var total: Int?

  package init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
    let bounds = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, bounds.count == 2, let first = Int(digits: bounds[0].utf8),
      let last = Int(digits: bounds[1].utf8), first <= last, last < Int.max
    else { return nil }
    total = Int(digits: parts[1].utf8)
    guard parts[1] == "*" || total.map({ last < $0 }) ?? false else { return nil }
    (self.first, self.last) = (first, last)
  }

  /// Returns whether this is a valid response to a `Range` with one part: the same start, and no more than requested.
  package func answers(_ asked: String) -> Bool {
    guard asked.lowercased().hasPrefix("bytes=") else { return false }
    let bounds = asked.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
    guard bounds.count == 2 else { return false }
    switch (Int(digits: bounds[0].utf8), Int(digits: bounds[1].utf8)) {
    case (let from?, let through?): return first == from && last <= through
    case (let from?, nil): return bounds[1].isEmpty && first == from
    case (nil, let count?):
      return bounds[0].isEmpty && last - first < count && (total.map { last == $0 - 1 } ?? true)
    case (nil, nil): return false
    }
  }
}
