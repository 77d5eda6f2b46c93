/// A language whose sources can be mutated. Both are read by the same lexer, and differ in tables.
public enum Language: Sendable {
  case swift, c

  /// The language of a file, by its name; nil for files that have no mutants.
  public init?(path: String) {
    if path.hasSuffix(".swift") {
      self = .swift
    } else if path.hasSuffix(".c") || path.hasSuffix(".h") {
      self = .c
    } else {
      return nil
    }
  }

  /// How tightly an operator binds; nil for what is no operator between two operands.
  func precedence(_ text: String) -> Int? {
    let precedences: [String: Int] = self == .swift ? Self.ofSwift : Self.ofC
    return precedences[text]
  }

  /// Words that stand before an expression and are no part of it.
  var wordsBefore: Set<String> {
    self == .swift
      ? [
        "return", "throw", "if", "guard", "while", "for", "case", "where", "in", "else", "try", "await",
        "let",
        "var", "switch", "default",
      ]
      : ["return", "if", "while", "for", "case", "else", "switch", "default", "do"]
  }

  static let assignments: Set<String> = [
    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "&+=", "&-=", "&*=", "&<<=", "&>>=",
  ]

  private static let ofSwift: [String: Int] = [
    "<<": 160, ">>": 160, "&<<": 160, "&>>": 160,
    "*": 150, "/": 150, "%": 150, "&*": 150, "&": 150,
    "+": 140, "-": 140, "&+": 140, "&-": 140, "|": 140, "^": 140,
    "...": 135, "..<": 135, "as": 132, "is": 132, "??": 131,
    "<": 130, "<=": 130, ">": 130, ">=": 130, "==": 130, "!=": 130, "===": 130, "!==": 130, "~=": 130,
    "&&": 120, "||": 110, "?": 100,
  ]

  private static let ofC: [String: Int] = [
    "*": 150, "/": 150, "%": 150, "+": 140, "-": 140, "<<": 138, ">>": 138,
    "<": 130, "<=": 130, ">": 130, ">=": 130, "==": 128, "!=": 128, "&": 126, "^": 125, "|": 124,
    "&&": 120, "||": 110, "?": 100,
  ]
}
