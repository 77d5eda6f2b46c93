/// A word, number, text, sign or bracket of a source.
struct Token: Sendable {
  enum Kind: Sendable { case word, number, text, sign, opening, closing, directive }

  let kind: Kind
  let text: String
  /// Where it is, in bytes.
  let range: Range<Int>
  let line: Int
  let hasSpaceBefore: Bool
  let isFirstInLine: Bool
  var hasSpaceAfter = false
  /// Of a bracket, the place of the other one; -1 where there is none.
  var partner = -1
  /// The place of the bracket around it; -1 for none.
  var parent = -1
}
