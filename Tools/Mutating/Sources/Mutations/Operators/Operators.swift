extension Mutator {
  private static let comparisons = [
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "===": "!==", "!==": "===",
  ]
  private static let arithmetic = [
    "+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "&+": "&-", "&-": "&+", "&*": "&+", "<<": ">>",
    ">>": "<<",
    "&<<": "&>>", "&>>": "&<<", "&": "|", "|": "&", "^": "&",
  ]

  /// Operators between two operands.
  mutating func addOperators(_ index: Int) {
    let token = tokens[index]
    guard token.kind == .sign, source.isInfix(index), !isInType(index), !isDeclared(index),
      let (left, right) = source.operands(index)
    else { return }
    if token.text == "&&" || token.text == "||" {
      addConnectives(token, left, right)
    } else if let other = Self.comparisons[token.text] {
      exchange(.comparison, token, other, left, right)
    } else if let other = Self.arithmetic[token.text], !isText(left), !isText(right) {
      exchange(.arithmetic, token, other, left, right)
    } else if token.text == "..<" {
      let suffix = ") + (\(Edit.choice) ? 1 : 0))"
      add(.range, token.range, as: "...", Edit(range: right, prefix: "((", suffix: suffix))
    } else if token.text == "..." {
      let suffix = ") - (\(Edit.choice) ? 1 : 0))"
      add(.range, token.range, as: "..<", Edit(range: right, prefix: "((", suffix: suffix))
    }
  }

  private mutating func exchange(
    _ kind: Mutant.Kind, _ token: Token, _ other: String, _ left: Range<Int>, _ right: Range<Int>
  ) {
    guard !isInPattern(source.indices(in: token.range).lowerBound), let before = source.inOneLine(left),
      let behind = source.inOneLine(right)
    else { return }
    choose(
      kind, token.range, as: other, "\(before) \(other) \(behind)", over: left.lowerBound..<right.upperBound)
  }

  /// The other connective, and each side as if it did not matter.
  private mutating func addConnectives(_ token: Token, _ left: Range<Int>, _ right: Range<Int>) {
    let isAnd = token.text == "&&"
    exchange(.connective, token, isAnd ? "||" : "&&", left, right)
    for side in [left, right] {
      let suffix = isAnd ? ") || \(Edit.choice))" : ") && !\(Edit.choice))"
      add(.connective, side, as: isAnd ? "true" : "false", Edit(range: side, prefix: "((", suffix: suffix))
    }
  }

  private func isText(_ range: Range<Int>) -> Bool {
    let first = source.bytes[range.lowerBound]
    return first == UInt8(ascii: "\"") || first == UInt8(ascii: "[")
  }

  /// Whether this is the name of a function.
  private func isDeclared(_ index: Int) -> Bool {
    source.before(index).map { source.isKeyword($0, ["func"]) } ?? false
  }

  /// `any A & B`, and what a generic clause or a signature compares.
  private func isInType(_ index: Int) -> Bool {
    guard isSwift else { return tokens[index].text == "*" && !source.isInCode(index) }
    if tokens[index].text == "&", let previous = source.before(index), let next = source.behind(index) {
      return tokens[previous].text.first?.isUppercase == true && tokens[next].text.first?.isUppercase == true
    }
    // A generic clause.
    var place = index
    while !source.starts.contains(place), let previous = source.before(place) {
      if source.isKeyword(previous, ["where"]) { return !source.isInCode(index) }
      place = previous
    }
    return false
  }
}
