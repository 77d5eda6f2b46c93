/// Finds all mutants of a source.
public struct Mutator {
  let source: Source
  /// For a case of an enumeration without values the one that takes its place.
  let cases: [String: String]
  private(set) var mutants: [Mutant] = []
  private var counts: [String: Int] = [:]

  /// All mutants of a source, in the order of their lines.
  ///
  /// - Parameter cases: What ``cases(of:)`` says of the module.
  public static func mutants(of source: Source, cases: [String: String] = [:]) -> [Mutant] {
    var mutator = Mutator(source: source, cases: cases)
    for index in source.tokens.indices where mutator.isCompiled(index) {
      mutator.addConditions(index)
      mutator.addOperators(index)
      mutator.addValues(index)
      mutator.addStatements(index)
      mutator.addBodies(index)
    }
    return mutator.mutants.sorted { $0.line < $1.line }
  }

  private init(source: Source, cases: [String: String]) {
    self.source = source
    self.cases = cases
  }

  var tokens: [Token] { source.tokens }
  var isSwift: Bool { source.language == .swift }

  /// Adds a mutant that is written as edits, and shown as a replacement of a part of the source.
  mutating func add(_ kind: Mutant.Kind, _ shown: Range<Int>, as replacement: String, _ edits: [Edit]) {
    let first = source.line(ofByte: shown.lowerBound)
    let start = source.bytes[..<shown.lowerBound].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let end = source.bytes[shown.lowerBound...].firstIndex(of: UInt8(ascii: "\n")) ?? source.bytes.count
    let rest = shown.upperBound <= end ? source.text(shown.upperBound..<end) : " …"
    let mutated = Source.trimmed((source.text(start..<shown.lowerBound) + replacement + rest)[...])
    let original = source.line(first)
    let key = "\(original)\u{1F}\(mutated)"
    let ordinal = counts[key, default: 0]
    counts[key] = ordinal + 1

    let touched = edits.map(\.range)
    let from = touched.map { source.line(ofByte: $0.lowerBound) }.min() ?? first
    let to = touched.map { source.line(ofByte: max($0.lowerBound, $0.upperBound - 1)) }.max() ?? first
    let token = source.indices(in: shown).lowerBound
    let around = source.function(around: min(token, tokens.count - 1))
    let function = around.map { tokens[$0.lowerBound].line...tokens[$0.upperBound - 1].line }
    let place = around.map { tokens[$0].map(\.text).joined(separator: " ") } ?? original
    mutants.append(
      Mutant(
        kind: kind, path: source.path, line: first, original: original, mutated: mutated, ordinal: ordinal,
        edits: edits, lines: min(from, to)...max(from, to), function: function,
        place: String(Hash.of(place.utf8) >> 32, radix: 16)))
  }

  mutating func add(_ kind: Mutant.Kind, _ shown: Range<Int>, as replacement: String, _ edit: Edit) {
    add(kind, shown, as: replacement, [edit])
  }

  /// Adds a mutant that evaluates another expression in place of one.
  mutating func choose(
    _ kind: Mutant.Kind, _ shown: Range<Int>, as replacement: String, _ mutated: String,
    over range: Range<Int>
  ) {
    add(
      kind, shown, as: replacement,
      Edit(range: range, prefix: "(\(Edit.choice) ? (\(mutated)) : (", suffix: "))"))
  }

  /// Not what another platform compiles, nor attributes, directives, and declarations outside of code.
  private func isCompiled(_ index: Int) -> Bool {
    let line = tokens[index].line
    guard !source.elsewhere.contains(where: { $0.contains(line) }) else { return false }
    var parent = tokens[index].parent
    while parent >= 0 {
      if parent > 1, ["@", "#"].contains(tokens[parent - 2].text) { return false }
      parent = tokens[parent].parent
    }
    return tokens[index].kind != .directive
  }

  /// Whether a token is part of what a `case` compares with.
  func isInPattern(_ index: Int) -> Bool {
    var place = index
    while true {
      while let previous = source.starts.contains(place) ? nil : source.before(place) {
        if source.isKeyword(previous, ["case"]) { return true }
        if tokens[previous].text == ":" || tokens[previous].text == "=" || tokens[previous].text == "where" {
          return false
        }
        place = previous
      }
      let parent = tokens[place].parent
      guard parent >= 0, tokens[parent].text != "{" else { return source.isKeyword(place, ["case"]) }
      place = parent
    }
  }

  // MARK: Enumerations

  /// What takes the place of each case, for the cases without values that a module declares.
  public static func cases(of sources: [Source]) -> [String: String] {
    var result: [String: String] = ["unlimited": "none"]
    for source in sources where source.language == .swift {
      var families: [Int: [String]] = [:]
      for index in source.starts.sorted() where source.isKeyword(index, ["case"]) {
        let brace = source.tokens[index].parent
        guard brace >= 0, source.braces[brace] == .type else { continue }
        families[brace, default: []] += plainCases(source, index)
      }
      for family in families.sorted(by: { $0.key < $1.key }).map(\.value) where family.count > 1 {
        for (name, other) in zip(family, family.dropFirst() + family.prefix(1)) where result[name] == nil {
          result[name] = other
        }
      }
    }
    return result
  }

  private static func plainCases(_ source: Source, _ start: Int) -> [String] {
    var names: [String] = [], place = start
    while let next = source.behind(place), !source.starts.contains(next) {
      let follows = source.behind(next).map { source.tokens[$0].text }
      if source.tokens[next].kind == .word, source.tokens[place].text == "," || place == start, follows != "("
      {
        names.append(source.tokens[next].text)
      }
      place = next
    }
    return names
  }
}
