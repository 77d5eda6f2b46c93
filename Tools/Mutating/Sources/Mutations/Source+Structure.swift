extension Source {
  private static let controls: Set<String> = [
    "if", "guard", "while", "for", "switch", "else", "do", "catch", "defer", "repeat",
  ]
  private static let types: Set<String> = [
    "class", "struct", "enum", "extension", "protocol", "actor", "union",
  ]
  private static let functions: Set<String> = ["func", "init", "deinit", "subscript"]
  private static let accessors: Set<String> = ["get", "set", "willSet", "didSet", "_read", "_modify"]

  /// From left to right: what a brace is depends on what is before it.
  mutating func findStructure() {
    for index in tokens.indices {
      if tokens[index].text == "{", tokens[index].kind == .opening { braces[index] = kind(ofBraceAt: index) }
      let parent = tokens[index].parent
      guard parent < 0 || tokens[parent].text == "{", tokens[index].kind != .closing else { continue }
      if beginsStatement(index) { starts.insert(index) }
    }
  }

  private func beginsStatement(_ index: Int) -> Bool {
    guard let previous = before(index) else { return true }
    let last = tokens[index - 1], token = tokens[index]
    if last.text == ";" || last.kind == .directive || endsLabel(index - 1) { return true }
    if language == .c {
      if last.text == "}" { return braces[previous] != .closure && !isKeyword(index, ["else", "while"]) }
      if last.text == "else" || last.text == "do" { return token.text != "{" && token.text != "if" }
      return last.text == ")" && token.text != "{" && previous > 0
        && isKeyword(previous - 1, ["if", "while", "for", "switch"]) && token.text != ";"
    }
    if last.text == "in", isKeyword(index - 1), braces[token.parent] == .closure, !isLoop(index - 1) {
      return true
    }
    if !token.isFirstInLine || token.text == "{" || isKeyword(index, ["else", "where", "catch"]) {
      return false
    }
    if token.text == ".", !token.hasSpaceAfter { return false }
    if token.text == ":" || token.text == "?" || isInfix(index) { return false }
    return last.text != "," && !isKeyword(index - 1, ["where", "return", "try", "await"])
      && !isInfix(index - 1)
  }

  private func isLoop(_ index: Int) -> Bool {
    var place = index
    while let previous = before(place) {
      if isKeyword(previous, ["for"]) { return true }
      place = previous
    }
    return false
  }

  /// Whether a colon ends `case …` or `default`.
  private func endsLabel(_ index: Int) -> Bool {
    guard tokens[index].text == ":" else { return false }
    let parent = tokens[index].parent
    guard case .control(let word)? = braces[parent], tokens[word].text == "switch" else { return false }
    var place = index
    while let previous = before(place) {
      if tokens[previous].text == "case" || tokens[previous].text == "default" {
        return starts.contains(previous)
      }
      if starts.contains(previous) { return false }
      place = previous
    }
    return false
  }

  private func kind(ofBraceAt index: Int) -> Brace {
    var place = index, hasAssignment = false, first: Brace?
    while !starts.contains(place), let previous = before(place) {
      place = previous
      if tokens[place].text == "=", isInfix(place) { hasAssignment = true }
      if isKeyword(place, Self.controls) { return .control(place) }
      if isKeyword(place, Self.functions) { first = .function(place) }
      if isKeyword(place, Self.types), language == .swift || tokens[index - 1].text != ")" { first = .type }
      if language == .swift, tokens[place].text == "var", !hasAssignment, first == nil {
        first = .function(place)
      }
    }
    if let first { return first }
    if isKeyword(place, Self.accessors) || isKeyword(place, ["mutating", "nonmutating"]) {
      return .function(place)
    }
    if language == .c, !hasAssignment, tokens[index].parent < 0, index > 1, tokens[index - 1].text == ")" {
      return .function(tokens[index - 1].partner - 1)
    }
    return .closure
  }

  // MARK: What is not compiled here

  /// Sources for another system than this one are left out: no test of this machine can reach them.
  mutating func findElsewhere() {
    var open: [(isIn: Bool, wasIn: Bool, line: Int)] = []
    for (index, text) in lines.enumerated() {
      let line = Self.trimmed(text), number = index + 1
      guard line.hasPrefix("#") else { continue }
      if line.hasPrefix("#if") {
        let isIn = Platform.holds(line)
        open.append((isIn, isIn, number))
      } else if line.hasPrefix("#el"), let last = open.popLast() {
        if !last.isIn { elsewhere.append(last.line...number) }
        let isIn = !last.wasIn && (line.hasPrefix("#else") || Platform.holds(line))
        open.append((isIn, last.wasIn || isIn, number))
      } else if line.hasPrefix("#endif"), let last = open.popLast(), !last.isIn {
        elsewhere.append(last.line...number)
      }
    }
  }
}

/// What conditions of compilation say on the machine that mutates.
private enum Platform {
  #if os(Linux)
    static let others = [
      "Darwin", "Bionic", "Musl", "WinSDK", "CoreGraphics", "macOS", "Windows", "__APPLE__", "_WIN32",
    ]
  #else
    static let others = ["Glibc", "Bionic", "Musl", "WinSDK", "os(Linux)", "Windows", "__linux__", "_WIN32"]
  #endif

  static func holds(_ condition: String) -> Bool {
    if condition.contains("address_sanitizer") { return false }
    let names = others.filter { condition.contains($0) }
    guard !names.isEmpty else { return !condition.contains("!defined(__linux__)") }
    return condition.contains("!") || condition.contains("||")
  }
}
