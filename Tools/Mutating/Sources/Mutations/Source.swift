/// A file, taken apart as far as mutants need it: tokens, brackets, what braces are around, and where
/// statements begin.
///
/// It is no parser. What it takes for an expression and is none makes a mutant that does not compile, and is
/// dropped.
public struct Source: Sendable {
  public let path: String
  public let language: Language
  let bytes: [UInt8]
  let lines: [Substring]
  var tokens: [Token]
  /// For each opening brace what is inside.
  var braces: [Int: Brace] = [:]
  /// The places of tokens that begin a statement, or a declaration.
  var starts: Set<Int> = []
  /// Parts that another platform compiles, as lines.
  var elsewhere: [ClosedRange<Int>] = []

  /// What is between two braces.
  enum Brace: Equatable {
    case type
    /// With the place of the word that declares it: `func`, `init`, `deinit`, `subscript`, `var`; in C, its
    /// name.
    case function(Int)
    /// With the place of the word before it: `if`, `guard`, `else`, `for`, `while`, `switch`, `defer` and so
    /// on.
    case control(Int)
    case closure
  }

  public init(path: String, text: String, _ language: Language) {
    self.path = path
    self.language = language
    bytes = Array(text.utf8)
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    tokens = Lexer.tokens(of: bytes, language)
    findElsewhere()
    findStructure()
  }

  /// A line, without the spaces around it.
  func line(_ number: Int) -> String { Self.trimmed(lines[number - 1]) }

  static func trimmed(_ text: Substring) -> String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    return String(text.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  // MARK: Neighbours

  /// The token before, or the bracket that opens what ends there; nil at the beginning of what is in a
  /// bracket.
  func before(_ index: Int) -> Int? {
    guard index > 0, index - 1 != tokens[index].parent else { return nil }
    return tokens[index - 1].kind == .closing ? tokens[index - 1].partner : index - 1
  }

  /// The token behind, and behind the other bracket if this one opens something; nil at the end of what is in
  /// a bracket.
  func behind(_ index: Int) -> Int? {
    let last = end(index)
    guard last + 1 < tokens.count, tokens[last + 1].kind != .closing else { return nil }
    return last + 1
  }

  /// Of an opening bracket the closing one, and otherwise the same.
  func end(_ index: Int) -> Int {
    tokens[index].kind == .opening && tokens[index].partner >= 0 ? tokens[index].partner : index
  }

  /// Whether a word is one of the language, and not a name behind a dot or a label.
  func isKeyword(_ index: Int) -> Bool {
    guard tokens[index].kind == .word else { return false }
    if index > 0, !tokens[index].hasSpaceBefore, [".", "#", "@", "\\"].contains(tokens[index - 1].text) {
      return false
    }
    let isLabel = index + 1 < tokens.count && tokens[index + 1].text == ":" && !tokens[index].hasSpaceAfter
    return !isLabel || tokens[index].text == "default"
  }

  func isKeyword(_ index: Int, _ words: Set<String>) -> Bool {
    words.contains(tokens[index].text) && isKeyword(index)
  }

  /// Whether a sign stands between two operands, with a space on both sides, as the formatter leaves it.
  func isInfix(_ index: Int) -> Bool {
    let token = tokens[index]
    if token.kind == .word {
      return language == .swift && (token.text == "as" || token.text == "is") && isKeyword(index)
    }
    guard token.kind == .sign, index > 0, index + 1 < tokens.count else { return false }
    let isSpaced = (token.hasSpaceBefore || token.isFirstInLine) && token.hasSpaceAfter
    let isRange = token.text == "..<" || token.text == "..."
    let isTight =
      !token.hasSpaceBefore && !token.hasSpaceAfter && tokens[index - 1].text != "("
      && tokens[index + 1].kind != .closing && tokens[index + 1].text != ","
    guard isSpaced || isRange && isTight else { return false }
    return language.precedence(token.text) != nil || Language.assignments.contains(token.text)
      || token.text == "->"
  }

  /// The brace around a token, whatever parentheses are between; -1 for none.
  func brace(around index: Int) -> Int {
    var parent = tokens[index].parent
    while parent >= 0, tokens[parent].text != "{" { parent = tokens[parent].parent }
    return parent
  }

  /// The function around a token: its outermost place, for errors that are reported where it ends. Nil outside of any,
  /// and behind an `#if` whose branches open the same brace.
  func function(around index: Int) -> Range<Int>? {
    var parent = tokens[index].parent
    while parent >= 0 {
      if case .function(let word)? = braces[parent], tokens[parent].partner > word {
        return word..<tokens[parent].partner + 1
      }
      parent = tokens[parent].parent
    }
    return nil
  }

  /// Whether statements run where a token is, and not only declarations.
  func isInCode(_ index: Int) -> Bool {
    let brace = brace(around: index)
    return brace >= 0 && braces[brace] != .type
  }
}
