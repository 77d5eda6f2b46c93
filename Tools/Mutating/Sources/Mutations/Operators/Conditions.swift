extension Mutator {
  /// Conditions that always hold, never hold, or are turned round.
  mutating func addConditions(_ index: Int) {
    let text = tokens[index].text
    if source.isKeyword(index, ["if", "guard", "while", "where"]), !isLabel(index),
      text != "where" || isInLoop(index)
    {
      let conditions = source.language == .swift ? conditions(index) : condition(inParenthesesBehind: index)
      for condition in conditions {
        if text == "if" || text == "guard" || text == "where" { hold(condition) }
        if text == "if" || text == "while" || text == "where" { fail(condition) }
        if text == "guard" { turn(condition) }
      }
    }
    if text == "?", source.isInfix(index), let left = source.left(of: index, 101) {
      let range = tokens[left].range.lowerBound..<tokens[index - 1].range.upperBound
      turn(range)
    }
  }

  private mutating func hold(_ range: Range<Int>) {
    add(.condition, range, as: "true", Edit(range: range, prefix: "((", suffix: ") || \(Edit.choice))"))
  }

  private mutating func fail(_ range: Range<Int>) {
    add(.condition, range, as: "false", Edit(range: range, prefix: "((", suffix: ") && !\(Edit.choice))"))
  }

  private mutating func turn(_ range: Range<Int>) {
    let edit = Edit(range: range, prefix: isSwift ? "((" : "(!!(", suffix: ") != \(Edit.choice))")
    add(.condition, range, as: "!(\(source.text(range)))", edit)
  }

  /// Each condition behind `if`, `guard`, `while` or `where` that binds nothing.
  private func conditions(_ index: Int) -> [Range<Int>] {
    var parts: [Range<Int>] = [], start: Int?, binds = false, place = index
    func end(_ last: Int) -> Range<Int>? {
      start.map { tokens[$0].range.lowerBound..<tokens[last].range.upperBound }
    }
    while let next = source.behind(place) {
      let isOver =
        tokens[next].text == "{" && source.braces[next] != .closure || source.isKeyword(next, ["else"])
        || source.starts.contains(next)
      if isOver || tokens[next].text == "," {
        if !binds, let part = end(source.end(place)) { parts.append(part) }
        (start, binds) = (nil, false)
        if isOver { break }
      } else if start == nil {
        start = next
        binds = source.isKeyword(next, ["let", "var", "case"]) || tokens[next].text == "#"
      }
      place = next
    }
    return parts
  }

  private func condition(inParenthesesBehind index: Int) -> [Range<Int>] {
    guard index + 1 < tokens.count, tokens[index + 1].text == "(" else { return [] }
    let partner = tokens[index + 1].partner
    return partner > index + 2
      ? [tokens[index + 2].range.lowerBound..<tokens[partner - 1].range.upperBound] : []
  }

  /// `drop(while predicate: …)`
  private func isLabel(_ index: Int) -> Bool {
    let parent = tokens[index].parent
    return isSwift && parent >= 0 && tokens[parent].text != "{"
  }

  private func isInLoop(_ index: Int) -> Bool {
    var place = index
    while !source.starts.contains(place), let previous = source.before(place) {
      if source.isKeyword(previous, ["for"]) { return true }
      place = previous
    }
    return false
  }
}
