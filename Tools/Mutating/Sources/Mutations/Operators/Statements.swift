extension Mutator {
  private static let noCalls: Set<String> = [
    "let", "var", "if", "guard", "for", "while", "switch", "return", "throw", "break", "continue", "defer",
    "do",
    "func", "struct", "class", "enum", "import", "case", "default", "repeat", "fallthrough", "init", "deinit",
    "super", "fatalError", "goto", "static", "struct", "union", "typedef", "const", "extern", "public",
    "private",
    "package", "lazy", "weak", "unowned", "nonisolated", "mutating", "catch", "else", "where", "extension",
  ]

  /// Calls and assignments that are left out.
  mutating func addStatements(_ index: Int) {
    guard source.starts.contains(index), source.isInCode(index), isSimple(index), !isAllOfDefer(index) else {
      return
    }
    let last = source.endOfStatement(index)
    let range = tokens[index].range.lowerBound..<tokens[last].range.upperBound
    var place = index, assignment: Int?
    while let next = source.behind(place), next <= last {
      if source.isInfix(next), Language.assignments.contains(tokens[next].text) { assignment = next }
      place = next
    }
    if let assignment {
      addAssignment(assignment, range, index)
    } else if tokens[last].text == ")"
      || tokens[last].text == "}" && source.braces[tokens[last].partner] == .closure,
      !isResult(index), !isEndOfGuard(index, last), last > index
    {
      add(.call, range, as: removed(range), isPartOfValue(index) ? nothing(range) : leftOut(range))
    } else if !isSwift, tokens[last].text == "++" || tokens[last].text == "--" {
      add(.assignment, range, as: removed(range), leftOut(range))
    }
  }

  private func isSimple(_ index: Int) -> Bool {
    let token = tokens[index]
    let isPlace = token.text == "*" && !isSwift
    guard token.kind == .word || isPlace, !Self.noCalls.contains(token.text) else { return false }
    guard let next = source.behind(index) else { return !isSwift || token.text != "in" }
    // The compiler demands that an initializer calls the other one.
    if token.text == "self", tokens[next].text == ".", let name = source.behind(next),
      tokens[name].text == "init"
    {
      return false
    }
    // A label, or in C a declaration: two words in a row.
    if isSwift { return tokens[next].text != ":" && tokens[next].text != "in" && tokens[next].text != "," }
    return isPlace || tokens[next].kind != .word && !(tokens[next].text == "*" && !tokens[next].hasSpaceAfter)
  }

  private func removed(_ range: Range<Int>) -> String { isSwift ? "()" : "(void)0" }

  private func leftOut(_ range: Range<Int>) -> Edit {
    isSwift
      ? Edit(range: range, prefix: "if !\(Edit.choice) { ", suffix: " }")
      : Edit(range: range, prefix: "{ if (!\(Edit.choice)) { ", suffix: "; } }")
  }

  /// In place of a value, so that a closure with a result does not compile, where a statement would leave it without one.
  private func nothing(_ range: Range<Int>) -> Edit {
    Edit(range: range, prefix: "(\(Edit.choice) ? () : (", suffix: "))")
  }

  /// Whether a call is all of a closure whose result may be that of a constant, a variable or a function.
  private func isPartOfValue(_ index: Int) -> Bool {
    guard isSwift, isOnly(index), !source.isKeyword(index, ["await", "try"]) else { return false }
    var place = tokens[index].parent
    guard source.braces[place] == .closure else { return false }
    while !source.starts.contains(place), let previous = source.before(place) { place = previous }
    return source.isKeyword(place, ["let", "var", "return"])
  }

  private mutating func addAssignment(_ assignment: Int, _ range: Range<Int>, _ start: Int) {
    let sign = tokens[assignment]
    if sign.text != "=" || !isFirstValue(start, assignment) {
      add(.assignment, range, as: removed(range), leftOut(range))
    }
    let others = ["+=": "-=", "-=": "+=", "*=": "/=", "|=": "&=", "&=": "|=", "<<=": ">>=", ">>=": "<<="]
    guard let other = others[sign.text],
      let left = source.inOneLine(range.lowerBound..<sign.range.lowerBound),
      let right = source.inOneLine(sign.range.upperBound..<range.upperBound)
    else { return }
    let edit =
      isSwift
      ? Edit(range: range, prefix: "if \(Edit.choice) { \(left) \(other) \(right) } else { ", suffix: " }")
      : Edit(
        range: range, prefix: "{ if (\(Edit.choice)) { \(left) \(other) \(right); } else { ", suffix: "; } }")
    add(.arithmetic, sign.range, as: other, edit)
  }

  /// Whether an assignment gives a constant or a variable its first value, which the compiler demands.
  private func isFirstValue(_ start: Int, _ assignment: Int) -> Bool {
    guard isSwift else { return false }
    var parent = tokens[start].parent
    while parent >= 0 {
      if case .function(let word)? = source.braces[parent] {
        if tokens[word].text == "init" { return true }
        let name = tokens[start].text
        return (word..<start).contains { place in
          tokens[place].text == name && place > 0 && source.isKeyword(place - 1, ["let", "var"])
            && !(place + 1 < tokens.count && tokens[place + 1].text == "=")
        }
      }
      parent = tokens[parent].parent
    }
    return false
  }

  /// The only statement of a body is its result, if the function has one.
  private func isResult(_ index: Int) -> Bool {
    guard isSwift, let body = body(around: index), isOnly(index) else { return false }
    return result(body) != nil
  }

  /// Whether a call ends what `guard` says: one that never returns, which the compiler demands.
  private func isEndOfGuard(_ index: Int, _ last: Int) -> Bool {
    let parent = tokens[index].parent
    guard isSwift, parent >= 0, last == tokens[parent].partner - 1,
      case .control(var place)? = source.braces[parent]
    else { return false }
    while !source.starts.contains(place), let previous = source.before(place) { place = previous }
    return source.isKeyword(place, ["guard"])
  }

  private func body(around index: Int) -> Int? {
    let parent = tokens[index].parent
    if parent >= 0, case .function? = source.braces[parent] { return parent }
    return nil
  }

  func isOnly(_ index: Int) -> Bool {
    let parent = tokens[index].parent
    return parent >= 0 && index == parent + 1 && source.endOfStatement(index) == tokens[parent].partner - 1
  }

  private func isAllOfDefer(_ index: Int) -> Bool {
    let parent = tokens[index].parent
    guard parent >= 0, case .control(let word)? = source.braces[parent], tokens[word].text == "defer" else {
      return false
    }
    return isOnly(index)
  }
}
