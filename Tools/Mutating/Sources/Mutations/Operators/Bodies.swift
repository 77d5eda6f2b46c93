extension Mutator {
  /// What `defer` says is left out, loops run once, and functions return at once.
  mutating func addBodies(_ index: Int) {
    guard tokens[index].text == "{", tokens[index].partner > index + 1, let brace = source.braces[index]
    else { return }
    let last = tokens[index].partner - 1
    let inside = tokens[index + 1].range.lowerBound..<tokens[last].range.upperBound
    switch brace {
    case .control(let word) where tokens[word].text == "defer":
      add(
        .deferral, tokens[index].range.lowerBound..<tokens[last + 1].range.upperBound, as: "{}",
        Edit(range: inside, prefix: "if !\(Edit.choice) { ", suffix: " }"))
    case .control(let word) where ["for", "while", "repeat", "do"].contains(tokens[word].text):
      guard tokens[word].text != "do" || !isSwift, !endsByLeaving(index, last) else { break }
      let end = inside.upperBound
      let text = isSwift ? "; if \(Edit.choice) { break }" : " if (\(Edit.choice)) break;"
      add(.loop, tokens[word].range, as: "once: \(tokens[word].text)", Edit(range: end..<end, prefix: text))
    case .function(let word): addReturns(index, word, inside)
    default: break
    }
  }

  /// Whether the last statement in braces leaves them, so that what is added behind it never runs.
  private func endsByLeaving(_ brace: Int, _ last: Int) -> Bool {
    let start = (brace + 1...last).last { tokens[$0].parent == brace && source.starts.contains($0) }
    return start.map { source.isKeyword($0, ["return", "throw", "break", "continue", "goto"]) } ?? false
  }

  /// The type behind the arrow, or of a computed property; nil if there is none.
  func result(_ brace: Int) -> String? {
    guard case .function(let word)? = source.braces[brace] else { return nil }
    let isProperty = tokens[word].text == "var"
    var place = brace, end = brace
    while place > word, let previous = source.before(place), previous >= word {
      if source.isKeyword(previous, ["where"]) { end = previous }
      if tokens[previous].text == "->" || isProperty && tokens[previous].text == ":" {
        return source.inOneLine(tokens[previous].range.upperBound..<tokens[end].range.lowerBound)
      }
      place = previous
    }
    return nil
  }

  private mutating func addReturns(_ brace: Int, _ word: Int, _ inside: Range<Int>) {
    guard isSwift else {
      addReturnsOfC(brace, word)
      return
    }
    guard ["func", "deinit", "var"].contains(tokens[word].text) else { return }
    let accessors: Set = ["get", "set", "willSet", "didSet", "mutating", "nonmutating", "_read", "_modify"]
    guard !source.isKeyword(brace + 1, accessors) else { return }
    guard let type = result(brace) else {
      // One statement alone is left out already.
      if tokens[word].text != "var", !isOnly(brace + 1) { addReturn(brace, "", "", isExpression: false) }
      return
    }
    let first = brace + 1
    let isExpression =
      isOnly(first) && !source.isKeyword(first, ["return", "throw", "defer", "guard", "for", "while"])
    for value in Self.values(type) where source.text(inside) != (value.isEmpty ? "()" : value) {
      addReturn(brace, value, type, isExpression: isExpression)
    }
  }

  private static func values(_ type: String) -> [String] {
    if type == "Bool" { return ["true", "false"] }
    if type.hasSuffix("?") { return ["nil"] }
    if type == "Void" || type == "()" { return [""] }
    if type == "String" { return ["\"\""] }
    if ["Int", "UInt", "Int64", "UInt64", "UInt32", "UInt8", "Double"].contains(type) { return ["0"] }
    guard type.hasPrefix("["), type.hasSuffix("]") else { return [] }
    return [type.contains(":") ? "[:]" : "[]"]
  }

  private mutating func addReturn(_ brace: Int, _ value: String, _ type: String, isExpression: Bool) {
    let place = tokens[brace].range.upperBound
    let first = tokens[brace + 1].range.lowerBound
    let statement = value.isEmpty ? "return" : "return \(value)"
    var edits = [Edit(range: place..<place, prefix: " if \(Edit.choice) { \(statement) }; ")]
    if isExpression {
      let end = tokens[tokens[brace].partner - 1].range.upperBound
      // Two values are nested, which only expressions can be.
      let isNested = type == "Bool" && !source.isKeyword(brace + 1, ["if", "switch", "try", "await"])
      edits = [
        isNested
          ? Edit(range: first..<end, prefix: "(\(Edit.choice) ? \(value) : (", suffix: "))")
          : Edit(range: first..<end, prefix: "if \(Edit.choice) { \(statement) }; return ")
      ]
    }
    add(.earlyReturn, tokens[brace].range, as: "{ \(statement);", edits)
  }

  private mutating func addReturnsOfC(_ brace: Int, _ word: Int) {
    guard word > 0 else { return }
    let isPointer = tokens[word - 1].text == "*"
    let values =
      isPointer ? ["NULL"] : ["void": [""], "bool": ["true", "false"]][tokens[word - 1].text] ?? ["0"]
    let place = tokens[brace].range.upperBound
    for value in values {
      let statement = value.isEmpty ? "return;" : "return \(value);"
      add(
        .earlyReturn, tokens[brace].range, as: "{ \(statement)",
        Edit(range: place..<place, prefix: " if (\(Edit.choice)) \(statement)"))
    }
  }
}
