extension Source {
  /// The bytes of the operands of an operator: what binds more tightly on both sides of it.
  func operands(_ index: Int) -> (left: Range<Int>, right: Range<Int>)? {
    guard let precedence = language.precedence(tokens[index].text), let left = left(of: index, precedence),
      let right = right(of: index, precedence)
    else { return nil }
    return (
      tokens[left].range.lowerBound..<tokens[index - 1].range.upperBound,
      tokens[index + 1].range.lowerBound..<tokens[right].range.upperBound
    )
  }

  /// The first token of what is before an operator.
  func left(of index: Int, _ precedence: Int) -> Int? {
    var place = index
    while !starts.contains(place), let previous = before(place), !isLimit(previous, previous + 1) {
      if isInfix(previous), (language.precedence(tokens[previous].text) ?? 0) < precedence { break }
      if tokens[previous].kind == .opening, tokens[previous].text == "{", braces[previous] != .closure {
        break
      }
      place = previous
    }
    return place == index ? nil : place
  }

  /// The last token of what is behind an operator.
  func right(of index: Int, _ precedence: Int) -> Int? {
    var place = index
    while let next = behind(place), !starts.contains(next), !isLimit(next, next) {
      if isInfix(next), (language.precedence(tokens[next].text) ?? 0) <= precedence { break }
      if tokens[next].text == "{", braces[next] != .closure { break }
      place = next
    }
    return place == index ? nil : end(place)
  }

  /// Whether a token ends an expression on either side.
  private func isLimit(_ index: Int, _ next: Int) -> Bool {
    let token = tokens[index]
    switch token.text {
    case ",", ";", ":", "->": return true
    case "?":
      // A ternary condition, or the `?` of `try?`.
      return isInfix(index) || index > 0 && tokens[index - 1].text == "try"
    case "!": return index > 0 && tokens[index - 1].text == "try"
    default: break
    }
    if token.kind == .directive || Language.assignments.contains(token.text) && isInfix(index) { return true }
    return isKeyword(index, language.wordsBefore)
  }

  /// The text between two places in one line, without comments; nil if it would not mean the same.
  func inOneLine(_ range: Range<Int>) -> String? {
    var result = ""
    for index in indices(in: range) {
      let token = tokens[index]
      guard !token.text.contains("\n"), token.kind != .directive else { return nil }
      if !result.isEmpty {
        if token.isFirstInLine, starts.contains(index) { return nil }
        if token.hasSpaceBefore || token.isFirstInLine || tokens[index - 1].hasSpaceAfter { result += " " }
      }
      result += token.text
    }
    return result
  }

  /// The places of the tokens between two places.
  func indices(in range: Range<Int>) -> Range<Int> {
    place(of: range.lowerBound)..<place(of: range.upperBound)
  }

  /// The first token that begins at a byte or behind it.
  private func place(of byte: Int) -> Int {
    var low = 0, high = tokens.count
    while low < high {
      let middle = (low + high) / 2
      if tokens[middle].range.lowerBound < byte { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func line(ofByte byte: Int) -> Int {
    let index = place(of: byte)
    return index < tokens.count ? tokens[index].line : lines.count
  }

  /// The last token of the statement that begins at a token.
  func endOfStatement(_ start: Int) -> Int {
    var place = start
    while let next = behind(place), !starts.contains(next), tokens[next].text != ";",
      tokens[next].kind != .directive
    { place = next }
    return end(place)
  }
}
