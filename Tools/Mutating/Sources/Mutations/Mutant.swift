/// One small change of a source, and how it is written as a switch.
public struct Mutant: Sendable {
  /// What kinds of changes there are. The orders of atomics are not among them: no test can tell them apart,
  /// and the explorer of interleavings needs a build for each (`Scripts/explore --mutants`).
  public enum Kind: String, Sendable, CaseIterable {
    case condition, connective, comparison, arithmetic, range, extremum, constant, enumCase, call, assignment
    case deferral, earlyReturn, loop
  }

  public let kind: Kind
  public let path: String
  public let line: Int
  /// The line as it is, and as it would be.
  public let original: String
  public let mutated: String
  /// The same change of the same line again in this file is another mutant.
  public internal(set) var ordinal = 0
  let edits: [Edit]
  /// Lines that a complaint of the compiler about this mutant may name.
  public let lines: ClosedRange<Int>
  public let function: ClosedRange<Int>?
  /// What the function around it, or the statement that is in none, consists of, as a hash: another one after a change
  /// that is more than space and comments.
  public let place: String

  /// What tells this mutant from all others of the file.
  public var name: String { "\(original)\u{1F}\(mutated)\u{1F}\(ordinal)" }
}

/// What is written before and behind a part of a source. `Edit.choice` stands for whether the mutant is
/// chosen.
struct Edit: Sendable {
  static let choice = "\u{1}"

  let range: Range<Int>
  var prefix = ""
  var suffix = ""
}

/// Writes mutants into a source as switches.
public enum Schemata {
  /// The source with a switch for each mutant, and which of them are in it: those whose parts cross another's
  /// are not.
  ///
  /// All tokens stay in their lines.
  public static func text(of source: Source, _ mutants: [(number: Int, mutant: Mutant)]) -> (
    text: String, written: Set<Int>
  ) {
    var written: Set<Int> = [], edits: [(number: Int, edit: Edit)] = []
    for (number, mutant) in mutants {
      let crosses = mutant.edits.contains { new in edits.contains { crossing(new.range, $0.edit.range) } }
      guard !crosses else { continue }
      written.insert(number)
      edits += mutant.edits.map { (number, $0) }
    }
    guard !written.isEmpty else { return (source.text(0..<source.bytes.count), written) }
    let pieces = edits.flatMap { number, edit in
      let text: (String) -> String = { $0.replacing(Edit.choice, with: "mutant_is(\(number))") }
      let length = edit.range.count
      // Behind what ends here come insertions, and then what begins here, the longest first.
      return length == 0
        ? [Piece(place: edit.range.lowerBound, order: (1, 0, number), text: text(edit.prefix))]
        : [
          Piece(place: edit.range.lowerBound, order: (2, -length, number), text: text(edit.prefix)),
          Piece(place: edit.range.upperBound, order: (0, length, -number), text: text(edit.suffix)),
        ]
    }
    var result = source.language == .c ? "#include \"CMutants.h\"\n#line 1\n" : ""
    var place = 0
    for piece in pieces.sorted(by: <) {
      result += source.text(place..<piece.place) + piece.text
      place = piece.place
    }
    result += source.text(place..<source.bytes.count)
    // At the end, so that nothing moves.
    if source.language == .swift { result += "\npublic import CMutants\n" }
    return (result, written)
  }

  private struct Piece: Comparable {
    let place: Int
    let order: (Int, Int, Int)
    let text: String

    static func < (one: Piece, other: Piece) -> Bool {
      one.place == other.place ? one.order < other.order : one.place < other.place
    }

    static func == (one: Piece, other: Piece) -> Bool { one.place == other.place && one.order == other.order }
  }

  private static func crossing(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
    guard one.overlaps(other) else { return false }
    return
      !(one.lowerBound <= other.lowerBound && one.upperBound >= other.upperBound
      || other.lowerBound <= one.lowerBound && other.upperBound >= one.upperBound)
  }
}
