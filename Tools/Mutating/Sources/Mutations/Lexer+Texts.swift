/// Texts between quotes.
extension Lexer {
  func isText() -> Bool {
    let byte = bytes[place]
    if byte == UInt8(ascii: "\"") || language == .c && byte == UInt8(ascii: "'") { return true }
    guard language == .swift, byte == UInt8(ascii: "#") else { return false }
    var end = place
    while at(end) == UInt8(ascii: "#") { end += 1 }
    return at(end) == UInt8(ascii: "\"")
  }

  /// With texts inside of what is interpolated, which is why it calls itself.
  mutating func skipText() {
    var pounds = 0
    while at(place) == UInt8(ascii: "#") {
      pounds += 1
      place += 1
    }
    let quote = bytes[place]
    let isLong = language == .swift && has("\"\"\"", at: place)
    place += isLong ? 3 : 1
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "\\"), arePounds(pounds, at: place + 1) {
        place += 1 + pounds
        if language == .swift, at(place) == UInt8(ascii: "(") { skipInterpolation() } else { step() }
      } else if bytes[place] == quote, !isLong || has("\"\"\"", at: place),
        arePounds(pounds, at: place + (isLong ? 3 : 1))
      {
        place += (isLong ? 3 : 1) + pounds
        return
      } else {
        step()
      }
    }
  }

  private func arePounds(_ count: Int, at place: Int) -> Bool {
    (0..<count).allSatisfy { at(place + $0) == UInt8(ascii: "#") }
  }

  private mutating func skipInterpolation() {
    var depth = 0
    repeat {
      if isText() {
        skipText()
        continue
      }
      if bytes[place] == UInt8(ascii: "(") { depth += 1 }
      if bytes[place] == UInt8(ascii: ")") { depth -= 1 }
      step()
    } while depth > 0 && place < bytes.count
  }
}
