extension Mutator {
  /// Zero and one, true and false, cases of enumerations, `min` and `max`.
  mutating func addValues(_ index: Int) {
    let token = tokens[index]
    guard token.kind == .word || token.kind == .number else { return }
    let isMember = index > 0 && tokens[index - 1].text == "."
    if !isMember, token.text == "true" || token.text == "false", source.isKeyword(index), !isInPattern(index)
    {
      let isTrue = token.text == "true"
      add(
        .constant, token.range, as: isTrue ? "false" : "true",
        Edit(range: token.range, prefix: isTrue ? "(!\(Edit.choice) && " : "(\(Edit.choice) || ", suffix: ")")
      )
    } else if !isMember, token.text == "0" || token.text == "1", !isInPattern(index), !isRawValue(index),
      !isStep(index)
    {
      let other = token.text == "0" ? "1" : "0"
      choose(.constant, token.range, as: other, other, over: token.range)
    } else if !isMember || index > 1 && tokens[index - 2].text == "Swift",
      token.text == "min" || token.text == "max"
    {
      addExtremum(index, from: isMember ? index - 2 : index)
    } else if isSwift, isMember, !tokens[index - 1].hasSpaceAfter, let other = cases[token.text] {
      addCase(index, other)
    }
  }

  private mutating func addExtremum(_ index: Int, from first: Int) {
    guard index + 1 < tokens.count, tokens[index + 1].text == "(", !tokens[index].hasSpaceAfter,
      !source.isKeyword(max(0, index - 1), ["func"])
    else { return }
    let range = tokens[first].range.lowerBound..<tokens[tokens[index + 1].partner].range.upperBound
    let rest = tokens[index + 1].range.lowerBound..<range.upperBound
    guard let arguments = source.inOneLine(rest) else { return }
    let other = tokens[index].text == "min" ? "max" : "min"
    let name = source.text(range.lowerBound..<tokens[index].range.lowerBound) + other
    choose(.extremum, tokens[index].range, as: other, name + arguments, over: range)
  }

  /// Only where the type is left to the context: `.first`, and not `Place.first`, which could be anything.
  private mutating func addCase(_ index: Int, _ other: String) {
    let dot = tokens[index - 1]
    let isImplicit = dot.hasSpaceBefore || index < 2 || ["(", "["].contains(tokens[index - 2].text)
    let follows = index + 1 < tokens.count ? tokens[index + 1] : nil
    let goesOn = follows.map { ["(", ".", "<"].contains($0.text) && !$0.hasSpaceBefore } ?? false
    guard isImplicit, !goesOn, !isInPattern(index), !source.starts.contains(index - 1) || isAlone(index - 1)
    else {
      return
    }
    let range = dot.range.lowerBound..<tokens[index].range.upperBound
    choose(.enumCase, range, as: ".\(other)", ".\(other)", over: range)
  }

  private func isAlone(_ start: Int) -> Bool { source.endOfStatement(start) == start + 1 }

  /// What is added or taken away in a statement: without it the statement is as if it were left out.
  private func isStep(_ index: Int) -> Bool {
    index > 0 && ["+=", "-=", "&+=", "&-=", "|="].contains(tokens[index - 1].text)
  }

  /// `case name = 0`, and in C all that is counted out.
  private func isRawValue(_ index: Int) -> Bool {
    if isSwift { return isInPattern(index) }
    let brace = source.brace(around: index)
    return brace < 0 || source.braces[brace] == .type || tokens[tokens[index].parent].text == "["
  }
}
